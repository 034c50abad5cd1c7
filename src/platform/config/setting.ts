// Kinds of settings.

interface Common {
  /** Environment variable. */
  variable: string;
  /** Read where `variable` is not set: a name that platforms set for every service. */
  alias?: string;
  /** The purpose of the setting, shown in docs/settings.md. */
  why: string;
  /** Whether a new installation sets it, or at least checks its default. */
  isEssential?: true;
  /** Whether most installations never need it. It stands at the end of docs/settings.md. */
  isExpert?: true;
}
export interface NumberSetting extends Common {
  kind: "number";
  unit: string;
  default: number;
  least: number;
  most: number;
  integer: boolean;
}
export interface TextSetting extends Common {
  kind: "text";
  default: string;
  /** Can also be read from a file, which the variable with _FILE behind its name gives. */
  isSecret?: boolean;
  /** Checked at start; the sentence says what is wrong. */
  check?: (value: string) => string | undefined;
}
export interface ChoiceSetting extends Common {
  kind: "choice";
  default: string;
  choices: readonly string[];
}
export interface SwitchSetting extends Common {
  kind: "switch";
  default: boolean;
}
export type Setting = NumberSetting | TextSetting | ChoiceSetting | SwitchSetting;

/** Settings of one purpose; one file in sections/. */
export interface Section {
  title: string;
  /** One sentence. */
  summary: string;
  settings: Readonly<Record<string, Setting>>;
}

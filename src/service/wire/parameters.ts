// Reads query parameters of another company's interface. Every parameter is used, named in a warning, or refused by its name.
import { MOST_PHRASE_CHARACTERS } from "../../contract/bounds.ts";
import { beginningOf } from "../../platform/storable.ts";

const SHOWN_CHARACTERS = 100;
export const shown = (value: string) => `"${beginningOf(value, SHOWN_CHARACTERS)}"`;

/** A number as JSON has it, of a bounded length. Programs print fractions with up to 17 digits, and small ones with an exponent. */
const NUMBER = /^-?\d{1,20}(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?$/;

/** @returns undefined for a text that is no finite number */
export function numberIn(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

export interface ParameterWarning {
  parameter: string;
  type: "no_effect";
  message: string;
}

export class Parameters {
  readonly problems: string[] = [];
  readonly warnings: ParameterWarning[] = [];
  private readonly names = new Set<string>();

  constructor(private readonly query: Readonly<Record<string, string | string[] | undefined>>) {}

  /** Every value that is not empty. */
  all(name: string): string[] {
    this.names.add(name);
    return [this.query[name] ?? []]
      .flat()
      .map((value) => value.trim())
      .filter((value) => value !== "");
  }

  /** Parameters that no call has read. */
  get unread(): string[] {
    return Object.keys(this.query).filter((name) => !this.names.has(name));
  }

  one(name: string): string | undefined {
    const values = new Set(this.all(name));
    if (values.size > 1) this.problems.push(`${name} must be sent once; there are ${values.size} different values`);
    return [...values].at(-1);
  }

  /** Whether a parameter that this service does not read further is sent with another value than false. */
  isWanted(name: string): boolean {
    return this.all(name).some((value) => value.toLowerCase() !== "false");
  }

  flag(name: string): boolean {
    const value = this.one(name)?.toLowerCase();
    if (value === undefined || ["false", "0", "no"].includes(value)) return false;
    if (["true", "1", "yes"].includes(value)) return true;
    this.problems.push(`${name} must be true or false; it is ${shown(value)}`);
    return false;
  }

  number(name: string, least: number, most: number): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    return this.within(name, [least, most], numberIn(value), shown(value));
  }

  /** @param given  as messages show it */
  protected within(name: string, [least, most]: [number, number], number: number | undefined, given: string) {
    if (number !== undefined && number >= least && number <= most) return number;
    this.problems.push(`${name} must be a number from ${least} to ${most}; it is ${given}`);
    return undefined;
  }

  phrases(name: string, most: number): string[] {
    const values = [...new Set(this.all(name))];
    if (values.length > most) this.problems.push(`${name} must not be sent more than ${most} times`);
    const long = values.find((value) => value.length > MOST_PHRASE_CHARACTERS);
    if (long !== undefined) {
      this.problems.push(`${name} must not be longer than ${MOST_PHRASE_CHARACTERS} characters; one is ${shown(long)}`);
    }
    return values;
  }

  warn(parameter: string, message: string): void {
    this.note(parameter, `${parameter} has no effect: ${message}`);
  }

  /** A part of the parameter has no effect. */
  note(parameter: string, message: string): void {
    this.warnings.push({ parameter, type: "no_effect", message });
  }
}

/** @param remedies  parameters that are refused unless they are false, with what to do instead */
export function refuse(parameters: Parameters, remedies: Readonly<Record<string, string>>): void {
  for (const [name, remedy] of Object.entries(remedies)) {
    if (parameters.isWanted(name)) parameters.problems.push(`${name} is not available: ${remedy}`);
  }
}

// The documentation's table of settings, made from the settings themselves.
import { SETTINGS, type Setting } from "./settings.ts";

/** Depends on the machine: described in words. */
const BY_CORES: Record<string, string> = { workers: "by cores and memory" };

function allowed(setting: Setting): string {
  switch (setting.kind) {
    case "number":
      return `${setting.least} to ${setting.most}${setting.unit === "" ? "" : ` ${setting.unit}`}`;
    case "choice":
      return setting.choices.join(", ");
    case "switch":
      return "true, false";
    case "text":
      return "text";
  }
}

/** Rows of Markdown, without the head. */
export function settingsTable(): string[] {
  return (Object.entries(SETTINGS) as [string, Setting][]).map(([name, setting]) => {
    const value = BY_CORES[name] ?? (setting.default === "" ? "" : `\`${setting.default}\``);
    return `| \`${setting.variable}\` | ${value} | ${allowed(setting)} | ${setting.why} |`;
  });
}

// The documentation's tables of settings, made from the settings themselves.
import type { Section, Setting } from "./setting.ts";
import { SECTIONS } from "./settings.ts";

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

function row([name, setting]: [string, Setting]): string {
  const value = BY_CORES[name] ?? (setting.default === "" ? "" : `\`${setting.default}\``);
  return `| \`${setting.variable}\` | ${value} | ${allowed(setting)} | ${setting.why} |`;
}

function sectionText({ title, summary, settings }: Section): string {
  const rows = Object.entries(settings).map(row);
  return [
    `## ${title}`,
    "",
    summary,
    "",
    "| variable | default | allowed | what for |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** Markdown: the settings that a new installation needs, then every section. */
export function settingsText(): string {
  const essential = SECTIONS.flatMap(({ settings }) => Object.values<Setting>(settings)).filter(
    ({ isEssential }) => isEssential,
  );
  const list = essential.map(({ variable, why }) => `- \`${variable}\`: ${why}`);
  const start = [
    "## For a new installation",
    "",
    "Check these first. The other settings have defaults that suit most installations.",
    "",
    ...list,
    "",
  ].join("\n");
  return [start, ...SECTIONS.map(sectionText)].join("\n");
}

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

const isExpert = ([, setting]: [string, Setting]) => setting.isExpert === true;

const rowsOf = ({ settings }: Section) => Object.entries<Setting>(settings);

function sectionText(title: string, summary: string, settings: [string, Setting][]): string {
  return [
    `## ${title}`,
    "",
    summary,
    "",
    "| variable | default | allowed | what for |",
    "| --- | --- | --- | --- |",
    ...settings.map(row),
    "",
  ].join("\n");
}

/** Markdown: the settings that a new installation needs, then every section, and at the end the settings for experts of all sections. */
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
  const sections = SECTIONS.map((section) =>
    sectionText(
      section.title,
      section.summary,
      rowsOf(section).filter((one) => !isExpert(one)),
    ),
  );
  const expert = sectionText(
    "Expert settings",
    "Most installations never change these.",
    SECTIONS.flatMap(rowsOf).filter(isExpert),
  );
  return [start, ...sections, expert].join("\n");
}

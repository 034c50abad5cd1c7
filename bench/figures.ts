// The tables of docs/figures.md that are made from bench/results; figures/ names the results, by topic. test/docs/figures.test.ts compares
// the document with the results; UPDATE_DOCS=true writes it.
import { LIVE } from "./figures/live.ts";
import { OPERATION } from "./figures/operation.ts";
import { RECOGNITION } from "./figures/recognition.ts";
import { SIGNAL } from "./figures/signals.ts";
import { SPEAKERS } from "./figures/speakers.ts";
import type { Column, FigureTable } from "./figures/topic.ts";
import type { Result, SavedResults } from "./table.ts";

const TOPICS = [RECOGNITION, SIGNAL, LIVE, SPEAKERS, OPERATION];

/** Where and when results were measured. */
function origin({ machine, date, commit }: SavedResults): string {
  const features = machine.features === undefined ? "processor features not recorded" : machine.features.join(", ");
  const at = commit === undefined ? "" : `, commit \`${commit}\``;
  return `${machine.processor}, ${machine.cores} cores, ${features}, Node ${machine.node.replace(/^v/, "")}; ${date ?? "no date"}${at}`;
}

function cell(results: readonly Result[], { key, of }: Column, row: string): string {
  const name = of ? of(row) : row;
  const result = results.find((one) => one.name === name);
  if (!result) throw new Error(`no result "${name}"`);
  return String(result.values[key] ?? "–");
}

function tableText(table: FigureTable, saved: SavedResults): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = table.rows.map((row) => {
    const [name, label] = typeof row === "string" ? [row, row] : row;
    return line([label, ...table.columns.map((column) => cell(saved.results, column, name))]);
  });
  return [
    `### ${table.title}`,
    "",
    table.text,
    "",
    line(["", ...table.columns.map(({ header }) => header)]),
    line(["---", ...table.columns.map(() => "---")]),
    ...rows,
    "",
    `\`${table.command}\`: ${origin(saved)}.`,
  ].join("\n");
}

/** @param read  results of a benchmark @returns the tables of the document @throws if a result that a table names is missing */
export function figureTables(read: (results: string) => SavedResults): string {
  return TOPICS.map(({ title, tables }) =>
    [`## ${title}`, ...tables.map((table) => tableText(table, read(table.results)))].join("\n\n"),
  ).join("\n\n");
}

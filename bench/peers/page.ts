// docs/comparison.md, from the figures of a run.
import os from "node:os";

interface Errors {
  errors: number;
  words: number;
}

export interface PeerFigures {
  name: string;
  version: string;
  /** Audio seconds a second: short files, all handed over at once; one file of twenty minutes. */
  short: number;
  long: number;
  peakMegabytes?: number;
  english: Errors;
  others?: Errors;
  /** Mean distance from forced alignment. */
  startMilliseconds?: number;
  endMilliseconds?: number;
}

type Column = [
  title: string,
  value: (figures: PeerFigures) => number | undefined,
  isLessBetter: boolean,
  digits: number,
];

const share = (errors?: Errors) => errors && (100 * errors.errors) / errors.words;

const COLUMNS: Column[] = [
  ["short files, audio s/s", ({ short }) => short, false, 1],
  ["20-minute file, audio s/s", ({ long }) => long, false, 1],
  ["word errors in English, %", ({ english }) => share(english), true, 1],
  ["word errors in other languages", ({ others }) => others?.errors, true, 0],
  ["word starts, mean error in ms", ({ startMilliseconds }) => startMilliseconds, true, 0],
  ["word ends, mean error in ms", ({ endMilliseconds }) => endMilliseconds, true, 0],
  ["peak memory, MB", ({ peakMegabytes }) => peakMegabytes, true, 0],
];

const OURS = /^Parlance/;

/** Where the best of the peers is ahead of one of ours. */
function lostColumns(own: PeerFigures, peers: readonly PeerFigures[]): string[] {
  return COLUMNS.flatMap(([title, value, isLessBetter, digits]) => {
    const ours = value(own);
    const theirs = peers.map(value).filter((one) => one !== undefined);
    if (ours === undefined || theirs.length === 0) return [];
    const best = isLessBetter ? Math.min(...theirs) : Math.max(...theirs);
    const isLost = isLessBetter ? best < ours : best > ours;
    return isLost ? [`${title}: ${ours.toFixed(digits)} against ${best.toFixed(digits)}`] : [];
  });
}

function lostText(own: PeerFigures, peers: readonly PeerFigures[]): string {
  const lost = lostColumns(own, peers);
  if (lost.length === 0) return `${own.name}, leads in every column.\n`;
  return `${own.name}, is behind the best of the others in:\n\n${lost.map((one) => `- ${one}`).join("\n")}\n`;
}

/** @param skipped  peers that are missing, a sentence each */
export function comparisonPage(figures: readonly PeerFigures[], skipped: readonly string[], rounds: number): string {
  const head = ["", ...COLUMNS.map(([title]) => title)];
  const rows = figures.map((one) => [
    one.name,
    ...COLUMNS.map(([, value, , digits]) => value(one)?.toFixed(digits) ?? "–"),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const peers = figures.filter(({ name }) => !OURS.test(name));
  const lost = figures.filter(({ name }) => OURS.test(name)).map((own) => lostText(own, peers));
  const speeds =
    rounds === 1 ? "Speeds are of a single run" : `Every figure of speed is the median of ${rounds} rounds`;
  const { english, others } = figures.find((one) => one.others) ?? {};
  return `# Comparison

Written by \`npm run bench:peers\` on ${new Date().toISOString().slice(0, 10)}: ${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, Node ${process.version}. ${speeds}. The programs take turns, each alone on the machine. Word errors are of ${english?.words ?? 0} English words and ${others?.words ?? 0} words in other languages. Loading of weights is not counted. Parlance is measured through HTTP with both of its recognisers, the others inside their own process. All Whisper models are converted from the same checkpoint.

${[head, head.map(() => "---"), ...rows].map(line).join("\n")}

Versions: ${[...new Set(figures.map(({ version }) => version))].join(", ")}.

${lost.join("\n")}${skipped.length === 0 ? "" : `\nNot compared:\n\n${skipped.map((one) => `- ${one}`).join("\n")}\n`}
## Repeat it

Python 3 with \`venv\` is needed, and a folder with Whisper base as a model hub publishes it:

\`\`\`sh no-run
npm run bench:peers -- /path/to/whisper-base
\`\`\`
`;
}

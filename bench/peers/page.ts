// docs/comparison.md, from the figures of a run.
import type { LiveFigures } from "./live.ts";

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

interface Machine {
  processor?: string;
  cores: number;
  node: string;
}

/** The half of the bench with files, as it is stored. */
export interface FilesRun {
  date: string;
  machine: Machine;
  rounds: number;
  longSeconds: number;
  figures: PeerFigures[];
  /** Peers that are missing, a sentence each. */
  skipped: string[];
}

/** The half with live sessions. */
export interface LiveRun {
  date: string;
  machine: Machine;
  seconds: number;
  figures: LiveFigures[];
  skipped: string[];
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map(line).join("\n");
const machineText = ({ processor, cores, node }: Machine) => `${processor}, ${cores} cores, Node ${node}`;
const list = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? "" : `\n${title}\n\n${lines.map((one) => `- ${one}`).join("\n")}\n`;
const versions = (figures: readonly { version: string }[]) =>
  `Versions: ${[...new Set(figures.map(({ version }) => version))].join(", ")}.`;

/** One table per figure: a row for each service, a column for each number of sessions. */
function livePart({ date, machine, seconds, figures: stored, skipped }: LiveRun): string {
  // JSON has no infinity: words that were never shown are null.
  const figures = stored.map((one) => ({
    ...one,
    medianMilliseconds: one.medianMilliseconds ?? Number.POSITIVE_INFINITY,
    highMilliseconds: one.highMilliseconds ?? Number.POSITIVE_INFINITY,
  }));
  const loads = [...new Set(figures.map(({ sessions }) => sessions))];
  const names = [...new Set(figures.map(({ name }) => name))];
  const cell = ({ medianMilliseconds: median, highMilliseconds: high, inTime, peakMegabytes }: LiveFigures) => {
    const times = [median, high].map((value) => (Number.isFinite(value) ? value.toFixed(0) : "never"));
    return `${times.join(" / ")} ms, ${(100 * inTime).toFixed(0)} %, ${peakMegabytes.toFixed(0)} MB`;
  };
  const rows = names.map((name) => [
    name,
    ...loads.map((load) => {
      const own = figures.find((one) => one.name === name && one.sessions === load);
      return own ? cell(own) : "–";
    }),
  ]);
  const lost = loads.flatMap((load) => {
    const own = figures.filter(({ name, sessions }) => sessions === load && OURS.test(name));
    const others = figures.filter(({ name, sessions }) => sessions === load && !OURS.test(name));
    const best = Math.min(...others.map(({ medianMilliseconds }) => medianMilliseconds));
    return own
      .filter(({ medianMilliseconds }) => medianMilliseconds > best)
      .map(
        ({ name, medianMilliseconds }) =>
          `${name}, ${load} sessions: ${medianMilliseconds.toFixed(0)} against ${best.toFixed(0)} ms`,
      );
  });
  return `## Live sessions

Measured on ${date}: ${machineText(machine)}. A single run of ${seconds} s for each cell. English speech with known word times is sent in real time; the delay of a word
is the time from the frame with its end until a client first shows it. Each cell: median and 95th percentile of the delay, words that were shown within 5 s, peak memory of
the service. The clients run on the same machine.

${table(["", ...loads.map((load) => `${load} at once`)], rows)}

${versions(figures)}
${list("Parlance is behind the best of the others in:", lost)}${list("Not compared:", skipped)}
`;
}

/** @param live  undefined if it has not been measured */
export function comparisonPage(files: FilesRun, live: LiveRun | undefined): string {
  const { date, machine, rounds, longSeconds, figures, skipped } = files;
  const head = ["", ...COLUMNS.map(([title]) => title)];
  const rows = figures.map((one) => [
    one.name,
    ...COLUMNS.map(([, value, , digits]) => value(one)?.toFixed(digits) ?? "–"),
  ]);
  const peers = figures.filter(({ name }) => !OURS.test(name));
  const lost = figures.filter(({ name }) => OURS.test(name)).map((own) => lostText(own, peers));
  const speeds =
    rounds === 1 ? "Speeds are of a single run" : `Every figure of speed is the median of ${rounds} rounds`;
  const { english, others } = figures.find((one) => one.others) ?? {};
  const long = longSeconds === 1200 ? "" : ` The long file has ${longSeconds} s in this run.`;
  return `# Comparison

Written by \`npm run bench -- peers\`; files measured on ${date}: ${machineText(machine)}. ${speeds}. The programs take turns, each alone on the machine. Word errors are of ${english?.words ?? 0} English words and ${others?.words ?? 0} words in other languages. Loading of weights is not counted. Parlance is measured through HTTP with both of its recognisers, the others inside their own process. All Whisper models are converted from the same checkpoint.${long}

${table(head, rows)}

${versions(figures)}

${lost.join("\n")}${list("Not compared:", skipped)}
${live ? livePart(live) : ""}## Repeat it

Python 3 with \`venv\` is needed, and a folder with Whisper base as a model hub publishes it. WhisperLiveKit and WhisperLive need PyTorch, which is a download of 3 GB:

\`\`\`sh no-run
npm run bench -- peers /path/to/whisper-base
\`\`\`
`;
}

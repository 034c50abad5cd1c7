// Standard error of child processes: crash reports and warnings of native libraries. It is always read, so that no child blocks
// while writing, and logged in a bounded number of pieces.
import type { Readable } from "node:stream";

type Listener = (child: { name: string; processId: number | undefined }, text: string) => void;

const LONGEST_PIECE_CHARACTERS = 4_000;
/** A child that prints without end must not fill the log. */
const MOST_PIECES = 20;
const PERIOD_MILLISECONDS = 60_000;

let listener: Listener = ({ name }, text) => void process.stderr.write(`${name}: ${text}\n`);

/** Sets what receives the output of all children; without it, it is printed to standard error. */
export function onErrorOutput(receive: Listener): void {
  // A terminal or a pipe that is gone must not end the process.
  process.stderr.on("error", () => undefined);
  listener = receive;
}

/** Reads the standard error of a child until it ends. */
export function readErrorOutput(stream: Readable, name: string, processId: number | undefined): void {
  let periodEnds = 0;
  let pieces = 0;
  stream.setEncoding("utf8");
  stream.on("error", () => undefined);
  stream.on("data", (chunk: string) => {
    const now = performance.now();
    if (now > periodEnds) {
      periodEnds = now + PERIOD_MILLISECONDS;
      pieces = 0;
    }
    const text = chunk.trim();
    if (text === "" || ++pieces > MOST_PIECES) return;
    const isLast = pieces === MOST_PIECES;
    const rest = isLast ? " (further output of the next minute is left out)" : "";
    listener({ name, processId }, text.slice(0, LONGEST_PIECE_CHARACTERS) + rest);
  });
}

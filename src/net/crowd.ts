// How many connections a server holds, and which one gives way to another. Without a bound below the limit of file descriptors,
// clients that send slowly would lock everybody else out, the database and child processes included.
import { readFileSync } from "node:fs";

/** Of the descriptors, those that connections may have; the others are for files, child processes, the database and downloads. */
const SHARE = 5 / 8;
/** Where the system states no limit. */
const DEFAULT_DESCRIPTORS = 65_536;
/** So young a connection is not judged yet. */
const LEAST_AGE_MILLISECONDS = 1_000;

/** The limit of this process for open files. */
function descriptorLimit(): number {
  try {
    // Node has raised the soft limit to the hard one at its start.
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return soft === undefined ? DEFAULT_DESCRIPTORS : Number(soft);
  } catch {
    return DEFAULT_DESCRIPTORS;
  }
}

export const mostConnections = (descriptors = descriptorLimit()) => Math.max(16, Math.floor(descriptors * SHARE));

/** A connection as it is judged. */
interface Sender {
  /** When the body of its request began, and what has come of it; undefined where no body is being received. */
  body: { at: number; bytes: number } | undefined;
  /** Whether the service is the slow one. */
  isHeldBack: boolean;
}

/** @returns the one whose body comes most slowly; undefined if none has been sending for a second */
export function slowestSender<One extends Sender>(all: Iterable<One>, now: number): One | undefined {
  let slowest: One | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const one of all) {
    if (!one.body || one.isHeldBack) continue;
    const milliseconds = now - one.body.at;
    if (milliseconds < LEAST_AGE_MILLISECONDS) continue;
    const rate = one.body.bytes / milliseconds;
    if (rate >= least) continue;
    slowest = one;
    least = rate;
  }
  return slowest;
}

// How many connections a server keeps open, and which one is closed for a new one. Without a bound below the limit of file
// descriptors, slow clients could use all of them. Then no other client, database connection or child process would get one.
import { readFileSync } from "node:fs";

/** Of the descriptors, those that connections may have; the others are for files, child processes, the database and downloads. */
const SHARE = 5 / 8;
/** Where the system states no limit. */
const DEFAULT_DESCRIPTORS = 65_536;
/** Younger connections are not compared. */
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

/** Progress of a request's body. */
interface Sender {
  /** When the body of its request began, and its bytes so far; undefined where no body is being received. */
  body: { at: number; bytes: number } | undefined;
  /** Whether the service reads more slowly than the client sends. */
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

// Whether a process works. A start takes seconds on one machine and minutes on another. It therefore fails when the process has done
// nothing for some time, not after a fixed time.
import { readFileSync } from "node:fs";

/** A start fails after this many times the limit for a quiet process, even if the process works. */
const MOST_LIMITS = 10;
const MOST_LOOK_MILLISECONDS = 1_000;
/** Less than this since the last progress is no work: an idle process reports its memory. Processor time in hundredths of a second. */
const LEAST_TICKS = 5;
const LEAST_BYTES = 1_000_000;
/** Fields of /proc/ID/stat after the name of the program: user time and system time, of the process and of its ended children. */
const TIME_FIELDS = [11, 12, 13, 14];
/** Deepest chain of processes that is followed. */
const MOST_GENERATIONS = 4;

interface Work {
  /** Processor time, hundredths of a second. */
  ticks: number;
  /** Bytes read. */
  bytes: number;
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** @returns what the process and those that it started have done so far; undefined on systems other than Linux, and after its end */
function workOf(processId: number, generations = MOST_GENERATIONS): Work | undefined {
  const stat = read(`/proc/${processId}/stat`);
  if (stat === "") return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const work = {
    ticks: TIME_FIELDS.reduce((sum, at) => sum + Number(fields[at]), 0),
    bytes: Number(/^rchar: (\d+)$/m.exec(read(`/proc/${processId}/io`))?.[1] ?? 0),
  };
  if (generations === 0) return work;
  const children = read(`/proc/${processId}/task/${processId}/children`).split(" ").filter(Boolean);
  for (const child of children) {
    const { ticks, bytes } = workOf(Number(child), generations - 1) ?? { ticks: 0, bytes: 0 };
    work.ticks += ticks;
    work.bytes += bytes;
  }
  return work;
}

interface QuietLimit {
  processId: number;
  /** Time in which the process does nothing. Where the system does not report what it does, only MOST_LIMITS times this counts. */
  quietMilliseconds: number;
  /** @param reason  for the message: what the process did not do */
  onExpired(reason: string): void;
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1000);

/**
 * Expires once when the process has done nothing for the limit.
 * @returns ends the watch
 */
export function expireWhenQuiet({ processId, quietMilliseconds, onExpired }: QuietLimit): () => void {
  const lookMilliseconds = Math.min(MOST_LOOK_MILLISECONDS, quietMilliseconds / 4);
  const mostMilliseconds = MOST_LIMITS * quietMilliseconds;
  let progress: Work = { ticks: 0, bytes: 0 };
  // Counts, not times: this process may stall, too.
  let looks = 0;
  let quietLooks = 0;
  const timer = setInterval(() => {
    looks++;
    const work = workOf(processId);
    const hasWorked =
      work && (work.ticks - progress.ticks >= LEAST_TICKS || work.bytes - progress.bytes >= LEAST_BYTES);
    quietLooks = work && !hasWorked ? quietLooks + 1 : 0;
    if (hasWorked) progress = work;
    const isQuiet = quietLooks * lookMilliseconds >= quietMilliseconds;
    if (!isQuiet && looks * lookMilliseconds < mostMilliseconds) return;
    clearInterval(timer);
    onExpired(
      isQuiet
        ? `it did nothing for ${seconds(quietMilliseconds)} s`
        : `it took longer than ${seconds(mostMilliseconds)} s`,
    );
  }, lookMilliseconds);
  return () => clearInterval(timer);
}

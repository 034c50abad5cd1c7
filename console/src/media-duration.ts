// Lengths of files, where this browser can read them. A few files are read at once.
import { sleep } from "./sleep.ts";

const FILES_AT_ONCE = 3;
/** The length of a file that takes longer is not shown. */
const MOST_MILLISECONDS = 1_000;

interface Search {
  file: File;
  /** Whether the list still has the file. */
  isWanted(): boolean;
  found(seconds: number): void;
}

const waiting: Search[] = [];
let running = 0;

/** @returns seconds; undefined for a file whose length this browser cannot read in time */
async function durationOf(file: File): Promise<number | undefined> {
  const media = new Audio();
  const address = URL.createObjectURL(file);
  const search = new Promise<number | undefined>((resolve) => {
    // Recordings of browsers state none.
    media.onloadedmetadata = () => resolve(Number.isFinite(media.duration) ? media.duration : undefined);
    media.onerror = () => resolve(undefined);
  });
  media.preload = "metadata";
  media.src = address;
  const seconds = await Promise.race([search, sleep(MOST_MILLISECONDS)]);
  media.onloadedmetadata = null;
  media.onerror = null;
  media.removeAttribute("src");
  media.load();
  URL.revokeObjectURL(address);
  return seconds ?? undefined;
}

async function run({ file, found }: Search): Promise<void> {
  try {
    const seconds = await durationOf(file);
    if (seconds !== undefined) found(seconds);
  } finally {
    running--;
    searchNext();
  }
}

function searchNext(): void {
  while (running < FILES_AT_ONCE) {
    const search = waiting.shift();
    if (!search) return;
    if (!search.isWanted()) continue;
    running++;
    void run(search);
  }
}

/** Calls `found` later, unless the length cannot be read. */
export function findDuration(search: Search): void {
  if (typeof Audio === "undefined" || search.file.size === 0) return;
  waiting.push(search);
  searchNext();
}

// Length of a file, where this browser can read it.
import { sleep } from "./sleep.ts";

/** A file waits no longer for its length before it is sent. */
const MOST_WAIT_MILLISECONDS = 1_000;

/** @returns seconds; undefined for a file whose length this browser cannot read */
function durationOf(file: File): Promise<number | undefined> {
  return new Promise((resolve) => {
    const media = new Audio();
    const address = URL.createObjectURL(file);
    const end = (seconds?: number) => {
      media.onerror = null;
      media.removeAttribute("src");
      media.load();
      URL.revokeObjectURL(address);
      resolve(seconds);
    };
    media.preload = "metadata";
    // Recordings of browsers state none.
    media.onloadedmetadata = () => end(Number.isFinite(media.duration) ? media.duration : undefined);
    media.onerror = () => end();
    media.src = address;
  });
}

/**
 * @param found  called with the seconds, also after the wait
 * @returns resolves when the length is found, cannot be read, or takes too long
 */
export async function findDuration(file: File, found: (seconds: number) => void): Promise<void> {
  if (typeof Audio === "undefined" || file.size === 0) return;
  const search = durationOf(file).then((seconds) => {
    if (seconds !== undefined) found(seconds);
  });
  await Promise.race([search, sleep(MOST_WAIT_MILLISECONDS)]);
}

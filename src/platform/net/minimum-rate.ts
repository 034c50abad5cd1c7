// Aborts a body that arrives too slowly: a host that sends single bytes would occupy a fetch for as long as a
// fetch may take.
import { Readable } from "node:stream";
import { errors } from "../errors.ts";

/** Hosts stall for some seconds and recover; over this span the mean counts. */
const SPAN_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 1_000;

/**
 * The same bytes; the stream fails when fewer come. Only time spent waiting for the host counts, so that a slow disk of
 * ours is not taken for a slow host.
 * @param bytesPerSecond  mean over half a minute; 0 is no limit
 * @returns a stream that fails with fetch.failed
 */
export function withMinimumRate(body: Readable, bytesPerSecond: number): Readable {
  let bytes = 0;
  let waited = 0;
  let waitingSince: number | undefined;
  const look = () => {
    const now = performance.now();
    if (waitingSince !== undefined) {
      waited += now - waitingSince;
      waitingSince = now;
    }
    if (waited < SPAN_MILLISECONDS) return;
    const seconds = waited / 1000;
    if (bytes < bytesPerSecond * seconds) {
      body.destroy(
        errors.remoteFailed(
          `its host sent ${bytes} bytes in ${Math.round(seconds)} s; at least ${bytesPerSecond} bytes a second are expected`,
          undefined,
          // Another half a minute of the same would hold a place of the account.
          { isPassing: false },
        ),
      );
    }
    bytes = 0;
    waited = 0;
  };
  async function* watched(): AsyncGenerator<Buffer> {
    const timer = setInterval(look, LOOK_MILLISECONDS);
    timer.unref();
    try {
      waitingSince = performance.now();
      for await (const chunk of body as AsyncIterable<Buffer>) {
        waited += performance.now() - waitingSince;
        waitingSince = undefined;
        bytes += chunk.length;
        yield chunk;
        waitingSince = performance.now();
      }
    } finally {
      clearInterval(timer);
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  // Also applies to a body that was not read.
  stream.once("close", () => body.destroy());
  return stream;
}

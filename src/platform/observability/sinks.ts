// Destinations of a BoundedOutput: a stream that reports when the system has accepted the bytes, or a file.
import { write } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

const STANDARD_OUTPUT = 1;

export interface Sink {
  /**
   * Called again only after `done`. @param done  receives the number of bytes written; with an error it may be less
   * than all
   */
  write(bytes: Buffer, done: (writtenBytes: number, error?: NodeJS.ErrnoException) => void): void;
}

/**
 * A regular file or a device such as /dev/null. Written by the thread pool, so that a slow disk does not block the
 * process.
 */
function fileSink(descriptor: number): Sink {
  return {
    write: (bytes, done) => {
      write(descriptor, bytes, 0, bytes.length, undefined, (error, writtenBytes = 0) => {
        done(writtenBytes, error ?? undefined);
      });
    },
  };
}

/** A stream with non-blocking writes. Bytes of a failed write are lost. */
function streamSink(stream: Writable): Sink {
  // Errors are also passed to the callback; without a listener they would end the process.
  stream.on("error", () => undefined);
  return {
    write: (bytes, done) => {
      stream.write(bytes, (error) => (error ? done(0, error) : done(bytes.length)));
    },
  };
}

/** Standard output of this process, whatever its type. */
export function standardOutputSink(): Sink {
  const { stdout } = process;
  if (!(stdout instanceof Socket)) return fileSink(STANDARD_OUTPUT);
  // Node makes writes to a terminal blocking: one paused with Ctrl-S would stop the whole process.
  const { _handle } = stdout as unknown as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  _handle?.setBlocking?.(false);
  return streamSink(stdout);
}

// Sends a recording from the microphone to the service while it is made.
import { GrowingUpload } from "../../src/contract/client/growing-upload.ts";
import { accountName } from "./account.ts";
import { exchange, sourceOf } from "./send-file.ts";

/** A shorter recording is sent at its end. */
const SEND_MILLISECONDS = 5_000;

export interface RecordingUpload {
  add(piece: Blob): void;
  /** Ends the request under way. @returns path of the upload, which lacks the end of the recording; undefined if none has begun */
  end(): Promise<string | undefined>;
}

/**
 * @param owner  the account that was signed in when the recording began
 * @param onPath  called with the path of the upload once it has begun
 */
export function uploadRecording(
  name: string,
  owner: string | undefined,
  onPath: (path: string) => unknown,
): RecordingUpload {
  const pieces: Blob[] = [];
  const stop = new AbortController();
  let path: string | undefined;
  const upload = new GrowingUpload<Blob>({ send: (request) => exchange(request, stop.signal) }, (begun) => {
    path = begun;
    return onPath(begun);
  });
  let running: Promise<void> | undefined;
  const send = () => {
    // Another account may be signed in meanwhile: requests are sent as the one that is.
    if (running || pieces.length === 0 || owner === undefined || accountName() !== owner) return;
    running = upload
      .send(sourceOf(new Blob(pieces), name))
      // The next call, or the upload at the end, sends the same bytes.
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(send, SEND_MILLISECONDS);
  return {
    add: (piece) => void pieces.push(piece),
    async end() {
      clearInterval(timer);
      stop.abort();
      await running;
      return path;
    },
  };
}

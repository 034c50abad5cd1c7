// Entry point of the decoder process, which only processes untrusted files. It is separate from the service, so that a
// file that crashes, hangs or exhausts a decoder only ends this process.
import { serveParent } from "../../../platform/process/child.ts";
import { type MediaWork, mediaWork } from "./media-file.ts";
import type { DecoderRequest, DecoderResponse } from "./message.ts";

const MEMORY_REPORT_MILLISECONDS = 250;

/** Files in progress. */
const files = new Map<number, MediaWork>();

async function turn({ file, milliseconds, task }: DecoderRequest & { kind: "turn" }): Promise<DecoderResponse> {
  const until = performance.now() + milliseconds;
  if (task) files.set(file, mediaWork(task));
  const work = files.get(file);
  if (!work) throw new Error("the file is not open");
  try {
    for (;;) {
      const step = await work.next();
      if (step.done) {
        files.delete(file);
        return { kind: "finished", answer: step.value };
      }
      if (performance.now() >= until) return { kind: "unfinished", ...step.value };
    }
  } catch (thrown) {
    files.delete(file);
    throw thrown;
  }
}

async function close(file: number): Promise<DecoderResponse> {
  await files.get(file)?.return(undefined as never);
  files.delete(file);
  return { kind: "closed" };
}

serveParent<DecoderRequest, DecoderResponse>(
  (request) => (request.kind === "turn" ? turn(request) : close(request.file)),
  { memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS },
);

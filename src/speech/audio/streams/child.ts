// Entry point of the process that decodes live streams. It is separate from the service and from the decoder of recordings, so that a
// stream that crashes or stops FFmpeg ends this process alone.
import { serveParent } from "../../../platform/process/child.ts";
import type { StreamRequest, StreamResponse } from "./message.ts";
import { StreamDecoder } from "./stream-decoder.ts";

const MEMORY_REPORT_MILLISECONDS = 250;

const streams = new Map<string, StreamDecoder>();

function handle(request: StreamRequest): StreamResponse {
  const { stream } = request;
  let decoder = streams.get(stream);
  if (request.kind === "close") {
    decoder?.close();
    streams.delete(stream);
    return { kind: "closed" };
  }
  if (request.kind === "push" && request.at === 0) {
    decoder?.close();
    decoder = new StreamDecoder(request.compression);
    streams.set(stream, decoder);
  }
  if (!decoder || (request.kind === "push" && request.at !== decoder.position)) return { kind: "unknown" };
  if (request.kind === "push") return decoder.push(Buffer.from(request.bytes));
  return request.kind === "finish" ? decoder.finish() : decoder.step();
}

serveParent<StreamRequest, StreamResponse>(async (request) => handle(request), {
  memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS,
});

// Entry point of the process that decodes live streams. It is separate from the service and from the decoder of recordings, so that a
// stream that crashes or stops FFmpeg ends this process alone.
import { serveParent } from "../../../platform/process/child.ts";
import type { StreamRequest, StreamResponse } from "./message.ts";
import { StreamTable } from "./stream-table.ts";

const MEMORY_REPORT_MILLISECONDS = 250;

const table = new StreamTable((error) => {
  process.stderr.write(`a stream failed: ${error instanceof Error ? error.stack : String(error)}\n`);
});

serveParent<StreamRequest, StreamResponse>(async (request) => table.handle(request), {
  memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS,
});

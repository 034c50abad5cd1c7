// Entry point of the enhancer process: one suppressor per active stream.
import { serveParent } from "../../../platform/process/child.ts";
import type { EnhanceRequest, EnhanceResponse } from "./message.ts";
import { Suppressor } from "./suppressor.ts";

const suppressors = new Map<string, Suppressor>();

async function handle(request: EnhanceRequest): Promise<EnhanceResponse> {
  let suppressor = suppressors.get(request.stream);
  if (request.kind === "end") {
    suppressor?.free();
    suppressors.delete(request.stream);
    return { kind: "ended" };
  }
  const isBeginning = suppressor === undefined;
  if (!suppressor) {
    suppressor = await Suppressor.create();
    suppressors.set(request.stream, suppressor);
  }
  return { kind: "enhanced", isBeginning, ...suppressor.process(request.samples) };
}

serveParent(handle);

// A process that runs one language model. Its parent ends it when it is idle, hangs, or uses too much memory.
import os from "node:os";
import { serveParent } from "../../../platform/process/child.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import type { LanguageModelRequest, LanguageModelResponse } from "./message.ts";
import { LoadedModel } from "./runtime.ts";

/** Lower priority than recognition on a busy machine. */
const NICENESS = 10;
const PROGRESS_MILLISECONDS = 500;

let loading: Promise<LoadedModel> | undefined;
let turns: FairSlots | undefined;

async function loaded({ file, usesGraphicsCard = false }: LanguageModelRequest): Promise<LoadedModel> {
  loading ??= LoadedModel.load(file, usesGraphicsCard);
  try {
    return await loading;
  } catch (thrown) {
    loading = undefined;
    throw thrown;
  }
}

os.setPriority(NICENESS);

serveParent<LanguageModelRequest, LanguageModelResponse>(
  async (request, call) => {
    const model = await loaded(request);
    if (request.kind === "count") {
      return {
        kind: "counts",
        tokens: request.texts.map((text) => model.count(text)),
        contextTokens: model.contextTokens,
      };
    }
    turns ??= new FairSlots({ slots: model.sequences });
    let reportedAt = 0;
    const onToken = () => {
      if (performance.now() - reportedAt < PROGRESS_MILLISECONDS) return;
      reportedAt = performance.now();
      call.progress(0);
    };
    const work = async () => {
      call.computing();
      return model.generate(request, call.signal, onToken, request.isStreamed ? call.text : undefined);
    };
    return { kind: "text", ...(await turns.run("", work, call.signal)) };
  },
  { isShared: true },
);

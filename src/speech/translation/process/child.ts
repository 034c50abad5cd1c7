// A process that translates. It processes one request at a time; its parent ends it when a request takes too long.
import { readdir } from "node:fs/promises";
import os from "node:os";
import { serveParent } from "../../../platform/process/child.ts";
import { TranslationRuntime } from "../../engines/bergamot/runtime.ts";
import { webAssembly } from "../../engines/bergamot/web-assembly.ts";
import type { TranslationRequest, TranslationResponse } from "./message.ts";

/** Directions kept in memory, about 60 MB each: enough for two pairs with English as the pivot. */
const MOST_LOADED = 4;
/** Niceness of the process for recordings: recognition and live sessions have a higher priority on a busy machine. */
const BACKGROUND_NICENESS = 10;

let starting: Promise<TranslationRuntime> | undefined;
let last: Promise<unknown> = Promise.resolve();

let isLowered = false;

/** The priority cannot be raised again: recordings and live sessions have translation processes of their own. */
function lowerPriority(): void {
  if (isLowered) return;
  isLowered = true;
  os.setPriority(BACKGROUND_NICENESS);
}

async function translate({ folders, texts, isBackground }: TranslationRequest): Promise<TranslationResponse> {
  if (isBackground) lowerPriority();
  starting ??= TranslationRuntime.start();
  const runtime = await starting;
  for (const folder of folders) await runtime.load(folder, await readdir(folder));
  for (const old of runtime.loaded.slice(0, -MOST_LOADED)) runtime.free(old);
  return { texts: texts.length === 0 ? [] : runtime.translate(folders, texts) };
}

serveParent<TranslationRequest, TranslationResponse>((request) => {
  const work = last.then(() => translate(request));
  last = work.catch((thrown: unknown) => {
    // An abort leaves the runtime's memory in an unknown state. The failure is sent before the process ends.
    if (!(thrown instanceof webAssembly.RuntimeError)) return undefined;
    setTimeout(() => process.exit(1), 100);
    // Requests that arrived meanwhile are repeated in the next process.
    return new Promise(() => undefined);
  });
  return work;
});

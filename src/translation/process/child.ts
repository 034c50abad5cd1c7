// A process that translates. It does one request after another; its parent ends it when a request takes too long.
import { readdir } from "node:fs/promises";
import os from "node:os";
import { TranslationRuntime } from "../../engines/bergamot/runtime.ts";
import { webAssembly } from "../../engines/bergamot/web-assembly.ts";
import { serveParent } from "../../process/child.ts";
import type { TranslationRequest, TranslationResponse } from "./message.ts";

/** Directions kept in memory: two pairs by way of English. Each takes about 60 MB. */
const MOST_LOADED = 4;
/** Of recordings' translations: recognisers and live sessions come first on a machine that is busy. */
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
    // Requests that came meanwhile are made again in the next process.
    return new Promise(() => undefined);
  });
  return work;
});

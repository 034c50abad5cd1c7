// Prepares the shared graphs of a model in a separate process, once for all recognisers. Building and packing graphs leaves a hundred
// megabytes of freed memory that a process does not return to the system. This module runs in the recognisers, and in the service at its start.
import { mkdir, readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { childEnvironment } from "../../platform/config/load.ts";
import { entryFile } from "../../platform/process/entry.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { SupervisedProcess } from "../../platform/process/supervised-process.ts";
import { type KernelLock, tryKernelLock } from "../../platform/storage/kernel-lock.ts";
import { engineOf } from "../../speech/engines/registry.ts";
import { removeUnfinishedGraphs } from "../../speech/onnx/unfinished-graphs.ts";
import { type InferenceRequest, type InferenceResponse, type LoadableModel, modelKey } from "./message.ts";

/** Held while graphs are prepared. */
const LOCK_FILE = ".lock";
/** A model of 1.5 billion parameters takes about a minute. */
const MOST_MILLISECONDS = 300_000;
const READY_TIMEOUT_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 20;

/** Removes the unfinished graphs of killed processes, unless another process prepares graphs: that process has removed them already. */
export async function removeUnfinishedPreparations(folder: string): Promise<void> {
  const lock = await tryKernelLock(path.join(folder, LOCK_FILE)).catch(() => undefined);
  if (!lock) return;
  try {
    await removeUnfinishedGraphs(folder);
  } finally {
    await lock.release();
  }
}

async function prepare(folder: string, model: LoadableModel, signal: AbortSignal | undefined): Promise<void> {
  const preparing = new SupervisedProcess<InferenceRequest, InferenceResponse>({
    name: "graph preparation",
    file: entryFile("./child.js", import.meta.url),
    arguments: [folder],
    readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
    environment: childEnvironment(os.tmpdir()),
  });
  // A call does not end before its process has started, and a process may hang at its start.
  const end = () => preparing.kill();
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    await preparing.call(
      { kind: "prepare", model },
      { timeoutMilliseconds: MOST_MILLISECONDS, ...(signal ? { signal } : {}) },
    );
  } finally {
    signal?.removeEventListener("abort", end);
    await preparing.stop();
  }
}

/** Preparations that this process has started, by model. One preparation makes all graphs of a model. */
const running = new Map<string, Promise<void>>();

/**
 * Resolves once the graph exists, or once it is certain that it will not.
 * @param folder      of all shared graphs
 * @param isPrepared  whether the graph exists
 * @param signal      ends a preparation that this call has started
 */
export async function prepareElsewhere(
  folder: string,
  model: LoadableModel,
  isPrepared: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const key = modelKey(model);
  for (let waited = 0; waited < MOST_MILLISECONDS && !(await isPrepared()); waited += LOOK_MILLISECONDS) {
    let own = running.get(key);
    if (!own) {
      const lock = await tryKernelLock(path.join(folder, LOCK_FILE));
      own = lock && prepareOnce(key, { folder, model, lock, signal });
    }
    // The preparing process may have finished this graph while it builds the next one.
    const hasEnded = await Promise.race([own?.then(() => true) ?? sleep(LOOK_MILLISECONDS), sleep(LOOK_MILLISECONDS)]);
    if (hasEnded === true) return;
  }
}

function prepareOnce(
  key: string,
  {
    folder,
    model,
    lock,
    signal,
  }: { folder: string; model: LoadableModel; lock: KernelLock; signal: AbortSignal | undefined },
): Promise<void> {
  // This process holds the lock, so that no other one prepares a graph: killed processes left the unfinished ones. A recogniser whose
  // preparation failed saves its graph without the lock. If the folder is removed meanwhile, the recogniser does not share its weights.
  const work = removeUnfinishedGraphs(folder)
    .then(() => prepare(folder, model, signal))
    .catch(() => undefined)
    .finally(async () => {
      running.delete(key);
      await lock.release();
    });
  running.set(key, work);
  return work;
}

/**
 * At a first start, begins the preparation while the recognisers start. They find the lock taken, and wait for the graphs.
 * @returns ends it
 */
export function prepareAhead(folder: string, model: LoadableModel): () => Promise<void> {
  const ending = new AbortController();
  const hasGraphs = async () => (await readdir(folder).catch(() => [])).some((name) => name.startsWith(`${model.id}-`));
  const isPossible = engineOf(model).prepareGraphs !== undefined;
  const work = isPossible ? prepareElsewhere(folder, model, hasGraphs, ending.signal) : Promise.resolve();
  // The recognisers prepare what is missing.
  const begun = work.catch(() => undefined);
  return async () => {
    ending.abort();
    await begun;
    await running.get(modelKey(model));
  };
}

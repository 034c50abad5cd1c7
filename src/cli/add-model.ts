// Adds a model while somebody watches.
import { type InstallOptions, installModel } from "../models/installer.ts";
import type { InstalledModel, ModelStore } from "../models/store.ts";
import { ProgressBar } from "./progress-bar.ts";

const LABELS = { waiting: "waiting for another process", fetching: "fetching", preparing: "preparing" };

export async function addModel(
  name: string,
  store: ModelStore,
  options: Pick<InstallOptions, "id" | "hub" | "languages">,
): Promise<{ model: InstalledModel; isNew: boolean }> {
  const bar = new ProgressBar();
  const abort = new AbortController();
  const stop = () => abort.abort(new Error("stopped; the same command goes on where it was"));
  process.once("SIGINT", stop);
  try {
    return await installModel(name, store, {
      ...options,
      signal: abort.signal,
      progress: (stage, share) => bar.show(`${LABELS[stage]} ${name}`, share),
    });
  } finally {
    process.off("SIGINT", stop);
    bar.clear();
  }
}

// Adds a model with a progress bar; Ctrl-C stops it, and a later call resumes.
import { type InstallOptions, installModel } from "../service/models/installer.ts";
import type { InstalledModel, ModelStore } from "../service/models/store.ts";
import { ProgressBar } from "./progress-bar.ts";

const LABELS = { waiting: "waiting for another process", fetching: "fetching", preparing: "preparing" };

export async function addModel(
  name: string,
  store: ModelStore,
  options: Pick<InstallOptions, "id" | "hub" | "languages">,
): Promise<{ model: InstalledModel; isNew: boolean }> {
  const bar = new ProgressBar();
  const abort = new AbortController();
  const stop = () => abort.abort(new Error("stopped; repeat the command to resume"));
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

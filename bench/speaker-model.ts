// Installs the speaker model of ../shared/models for the benchmarks.
import path from "node:path";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { SHARED } from "../test/fixtures/recordings.ts";

/** @param folder  of the models; it may be empty @throws models.bad_checkpoint if the model is missing */
export async function installSpeakerModel(folder: string): Promise<ModelStore> {
  const store = new ModelStore(folder);
  await installModel(path.join(SHARED, "../models/speakers"), store, { hub: { base: "" }, progress: () => undefined });
  return store;
}

// A process that adds one model: fetching and preparing it would hold up the service.
import { serveParent } from "../../platform/process/child.ts";
import { installModel } from "./installer.ts";
import type { InstallRequest, InstallResponse } from "./message.ts";
import { ModelStore } from "./store.ts";

/** The longer part, where the network is no faster than usual. */
const FETCHING_SHARE = 0.9;

serveParent<InstallRequest, InstallResponse>(async ({ name, folder, hub, requestedAt }, call) => {
  const began = performance.now();
  const { model } = await installModel(name, new ModelStore(folder), {
    hub,
    now: () => new Date(requestedAt + performance.now() - began),
    progress: (stage, share) =>
      call.progress(stage === "preparing" ? FETCHING_SHARE + (1 - FETCHING_SHARE) * share : FETCHING_SHARE * share),
  });
  return { id: model.id };
});

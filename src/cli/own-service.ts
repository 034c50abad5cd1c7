// Starts a service in this process for `parlance live` and `parlance mcp` without a server.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { composeService } from "../compose/compose.ts";
import { startRecognition } from "../compose/recognition-startup.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { ServiceAddress } from "../platform/net/service-request.ts";
import { modelStore } from "../service/models/store-settings.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { keptWeights } from "./shared-weights.ts";

export interface OwnService {
  address: ServiceAddress;
  stop(): Promise<void>;
}

const KEY_BYTES = 32;

/** Other users of this machine can reach its port: it has a key. The caller must call `stop`. */
export async function startOwnService(): Promise<OwnService> {
  const { path: folder, remove } = makePrivateFolder("service");
  const settings = loadSettings();
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const own = {
    ...settings,
    modelsDirectory: modelStore(settings).folder,
    dataDirectory: folder,
    databaseUrl: "",
    anonymous: false,
    apiKey: key,
    // The address in answers is that of this service.
    publicUrl: "",
  };
  const logger = pino({ level: "silent" });
  const service = await composeService(
    own,
    logger,
    await startRecognition(own, logger, keptWeights(settings)),
    (error) => {
      throw error;
    },
  );
  const stop = async () => {
    await service.stop();
    remove();
  };
  try {
    const base = await service.listen({ ...own, port: 0, host: "127.0.0.1" });
    await service.warm();
    return { address: { base, key }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

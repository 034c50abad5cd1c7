// Dependencies of the registry of live sessions.
import type { Logger } from "pino";
import type { Settings } from "../../../platform/config/settings.ts";
import type { Tracing } from "../../../platform/observability/tracing.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import type { Duties } from "../../../platform/storage/db/duties.ts";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import type { Enhancer } from "../../../speech/audio/enhance/enhancer.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import type { CallbackSender } from "../../callbacks/sender.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { ResultProcesses } from "../../intelligence/process/result-processes.ts";
import type { ModelsOfRole } from "../../models/served-models.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import type { VoiceLibrary } from "../../voices/library.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { SessionLogs } from "../log/log-contract.ts";
import type { ViewerFeeds } from "../viewers/viewer-feeds.ts";

export interface RegistryServices {
  duties: Pick<Duties, "holds">;
  database: Database;
  objects: ObjectStore;
  space: FreeSpace;
  recognition: RecognitionPool;
  detection: Pick<RecognitionPool, "voiceActivity">;
  /** Starts the processes that compute for sessions, before the first audio comes. */
  wakeProcesses(): void;
  models: ModelStore;
  liveModels: ModelsOfRole;
  supply: ModelSupply;
  enhancer: Enhancer;
  /** Decode compressed streams. */
  streamDecoders: StreamDecoders;
  /** Folder for the samples of compressed streams. */
  decodedFolder: string;
  voices: VoiceLibrary;
  resultProcesses: ResultProcesses;
  callbacks: CallbackSender;
  settings: Settings;
  /** Number of processor cores that can be busy all the time. */
  cores: number;
  logs: SessionLogs;
  recordFormat: RecordFormat;
  /** Viewers of live sessions that are connected to this process. */
  viewerFeeds: ViewerFeeds;
  tracing: Tracing;
  logger: Logger;
}

// What the operations of the interface need, handed to them by compose.ts.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { hostNameOf } from "../platform/config/host-names.ts";
import type { Role, Settings } from "../platform/config/settings.ts";
import { errors } from "../platform/errors.ts";
import type { ClientView, Forwarding } from "../platform/net/forwarding.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import type { OpenSpan, Tracing } from "../platform/observability/tracing.ts";
import type { FairSlots } from "../platform/process/fairness/fair-slots.ts";
import type { Account } from "../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../platform/storage/db/database.ts";
import type { DatabaseTime } from "../platform/storage/db/database-time.ts";
import type { QueuePlaces } from "../platform/storage/db/jobs/queue-place.ts";
import type { OpenShare } from "../platform/storage/db/jobs/shares.ts";
import type { FreeSpace } from "../platform/storage/free-space.ts";
import type { ObjectStore } from "../platform/storage/objects/object-store.ts";
import type { Quarantine } from "../platform/storage/quarantine.ts";
import type { ClientSecrets } from "../service/accounts/client-secrets.ts";
import type { FirstKey } from "../service/accounts/first-key.ts";
import type { KeyHolders } from "../service/accounts/key-holders.ts";
import type { RequestRates } from "../service/accounts/request-rates.ts";
import type { SecretSealer } from "../service/callbacks/secret-sealer.ts";
import type { CallbackSender } from "../service/callbacks/sender.ts";
import type { RecognitionPool } from "../service/inference/pool.ts";
import type { ResultProcesses } from "../service/intelligence/process/result-processes.ts";
import type { LanguageModelChoice } from "../service/intelligence/providers/language-model-choice.ts";
import type { AwaitedJobs } from "../service/jobs/awaited-jobs.ts";
import type { JobChanges } from "../service/jobs/job-changes.ts";
import type { NamedResults } from "../service/jobs/named-results.ts";
import type { JobQueue } from "../service/jobs/queue.ts";
import type { SearchIndex } from "../service/jobs/search-index.ts";
import type { StoredResults } from "../service/jobs/stored-results.ts";
import type { Throughput } from "../service/jobs/throughput.ts";
import type { WaitingForModels } from "../service/jobs/waiting-for-models.ts";
import type { JobWorker } from "../service/jobs/worker.ts";
import type { SessionCreation } from "../service/live/session/creation.ts";
import type { LiveRegistry } from "../service/live/session/registry.ts";
import type { LiveSources } from "../service/live/sources/live-sources.ts";
import type { ViewerFeeds } from "../service/live/viewers/viewer-feeds.ts";
import type { FleetModels } from "../service/models/fleet-models.ts";
import type { ModelsOfRole } from "../service/models/served-models.ts";
import type { ModelStore } from "../service/models/store.ts";
import type { ModelSupply } from "../service/models/supply.ts";
import type { Stretches } from "../service/stretches/stretches.ts";
import type { TranscriptProcess } from "../service/transcripts/process/transcript-process.ts";
import type { ResumableUploads } from "../service/uploads/resumable-uploads.ts";
import type { Enroller } from "../service/voices/enroller.ts";
import type { VoiceLibrary } from "../service/voices/library.ts";
import type { RequestVoices } from "../service/voices/request-voices.ts";
import type { DecoderPool } from "../speech/audio/decode/decoder-pool.ts";
import type { SchemaTypes } from "./type-provider.ts";

export interface ApiContext {
  settings: Settings;
  forwarding: Forwarding;
  /** Shown until a request has used it. */
  firstKey: FirstKey;
  /** Emptied at every start. */
  temporaryFolder: string;
  roles: ReadonlySet<Role>;
  /** Whether what the roles need is loaded. */
  isReady(): boolean;
  /** No other process is on this database (the embedded one). */
  isOnlyProcess: boolean;
  /** The process is about to stop. */
  isDraining: boolean;
  database: Database;
  objects: ObjectStore;
  quarantine: Quarantine;
  /** Reads results of finished jobs. */
  results: StoredResults;
  uploads: ResumableUploads;
  space: FreeSpace;
  queue: JobQueue;
  callbacks: CallbackSender;
  secrets: SecretSealer;
  worker: JobWorker;
  live: LiveRegistry;
  sources: LiveSources;
  /** Viewers of live sessions that are connected to this process. */
  viewerFeeds: ViewerFeeds;
  creation: SessionCreation;
  keys: KeyHolders;
  requestRates: RequestRates;
  clientSecrets: ClientSecrets;
  /** Of requests that wait for the end of their jobs. */
  awaitedJobs: AwaitedJobs;
  /** For streams of events. */
  jobChanges: JobChanges;
  voices: VoiceLibrary;
  requestVoices: RequestVoices;
  enroller: Enroller;
  namedResults: NamedResults;
  stretches: Stretches;
  transcriptProcess: TranscriptProcess;
  search: SearchIndex;
  decoders: DecoderPool;
  /** Places of addresses that a request has fetched while its client waits. */
  fetches: FairSlots;
  recognition: RecognitionPool;
  models: ModelStore;
  /** Those that recordings can use. */
  recordingModels: ModelsOfRole;
  liveModels: ModelsOfRole;
  /** Undefined in the only process. */
  fleet: FleetModels | undefined;
  supply: ModelSupply;
  languageModel: LanguageModelChoice;
  resultProcesses: ResultProcesses;
  waitingForModels: WaitingForModels;
  throughput: Throughput;
  queuePlaces: QueuePlaces;
  metrics: Metrics;
  tracing: Tracing;
  logger: Logger;
  defaultAccount: Account;
  newId(): string;
  now(): DatabaseTime;
}

export type Api = FastifyInstance<
  import("fastify").RawServerDefault,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  Logger,
  SchemaTypes
>;

export interface Subject {
  name: "Job" | "Upload";
  exists(): Promise<boolean>;
}

declare module "fastify" {
  interface FastifyRequest {
    account: Account;
    /** The key that was used, as its owner named it. */
    keyName: string;
    /** Of the key in the database; null for PARLANCE_API_KEY and for requests without a key. */
    keyId: string | null;
    /** Sent with every answer, and logged. */
    publicRequestId: string;
    /** The link of a reader, for routes that take its token. */
    share: OpenShare;
    /** What the request is about. If it is deleted during the request, an internal error becomes "not found". */
    subject: Subject | undefined;
    /** How the client addressed the service, as trusted proxies report it. */
    clientView: ClientView;
    /** Where requests are traced. */
    span: OpenSpan | undefined;
  }
  interface FastifyContextConfig {
    /** Routes that need no key. */
    isOpen?: boolean;
    /** The body is a recording: bytes of any type. */
    takesAnyContent?: boolean;
    /** Whether JSON may be sent as text/plain: libraries state it where the client states no type. */
    takesJsonAsText?: boolean;
    /** The key may be the password of the address: authorization Basic. */
    takesBasicKey?: boolean;
    /** Whether the token of the live session in the address is accepted in place of a key. */
    takesSessionToken?: boolean;
    /** Whether the token of a link to a transcript takes the place of a key. */
    takesShareToken?: boolean;
    /** Whether the header authorization may have the key alone. */
    takesBareKey?: boolean;
  }
}

const SHORT_ID_LENGTH = 8;

/** G- and the last eight hex digits of an id. */
export function requestIdOf(id: string): string {
  return `G-${id.replaceAll("-", "").slice(-SHORT_ID_LENGTH)}`;
}

/**
 * Base of the addresses in answers, without a trailing slash.
 * @throws request.bad_host when the request's host cannot stand in an address
 */
export function publicBase(request: FastifyRequest, { forwarding }: Pick<ApiContext, "forwarding">): string {
  if (forwarding.published) return forwarding.published.base;
  const { scheme, host, prefix } = request.clientView;
  // HTTP/1.0 has requests without a Host header.
  const named = host || "localhost";
  if (hostNameOf(named) === undefined) throw errors.badHost();
  return `${scheme}://${named}${prefix}`;
}

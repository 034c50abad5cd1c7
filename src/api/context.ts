// What the operations of the interface need, handed to them by compose.ts.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { DecoderPool } from "../audio/decode/decoder-pool.ts";
import type { SecretKeeper } from "../callbacks/secret-keeper.ts";
import type { CallbackSender } from "../callbacks/sender.ts";
import type { Role, Settings } from "../config/settings.ts";
import type { RecognitionPool } from "../inference/pool.ts";
import type { LanguageModelChoice } from "../intelligence/providers/language-model-choice.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Throughput } from "../jobs/throughput.ts";
import type { WaitingForModels } from "../jobs/waiting-for-models.ts";
import type { JobWorker } from "../jobs/worker.ts";
import type { LiveRegistry } from "../live/session/registry.ts";
import type { ModelStore } from "../models/store.ts";
import type { ModelSupply } from "../models/supply.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { OpenSpan, Tracing } from "../observability/tracing.ts";
import type { Waker } from "../process/waker.ts";
import type { Account } from "../storage/db/accounts.ts";
import type { Database } from "../storage/db/database.ts";
import type { FreeSpace } from "../storage/free-space.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import type { Clerk } from "../transcripts/process/clerk.ts";
import type { SearchIndex } from "../transcripts/search-index.ts";

export interface ApiContext {
  settings: Settings;
  roles: ReadonlySet<Role>;
  /** Whether what the roles need is loaded. */
  isReady(): boolean;
  /** The process is about to stop. */
  isDraining: boolean;
  database: Database;
  objects: ObjectStore;
  space: FreeSpace;
  queue: JobQueue;
  callbacks: CallbackSender;
  secrets: SecretKeeper;
  worker: JobWorker;
  live: LiveRegistry;
  /** Wakes whoever waits for the end of jobs. */
  ended: Waker;
  clerk: Clerk;
  search: SearchIndex;
  decoders: DecoderPool;
  recognition: RecognitionPool;
  models: ModelStore;
  supply: ModelSupply;
  languageModel: LanguageModelChoice;
  waitingForModels: WaitingForModels;
  throughput: Throughput;
  metrics: Metrics;
  tracing: Tracing;
  logger: Logger;
  defaultAccount: Account;
  newId(): string;
  now(): Date;
}

export type Api = FastifyInstance<
  import("fastify").RawServerDefault,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  Logger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyRequest {
    account: Account;
    /** The key that was used, as its owner named it. */
    keyName: string;
    /** Told to the client on every answer, and in the log. */
    publicRequestId: string;
    /** Where requests are traced. */
    span: OpenSpan | undefined;
  }
  interface FastifyContextConfig {
    /** Routes that need no key. */
    isOpen?: boolean;
  }
}

const SHORT_ID_LENGTH = 8;

/** G- and the last eight hex digits of an id. */
export function requestIdOf(id: string): string {
  return `G-${id.replaceAll("-", "").slice(-SHORT_ID_LENGTH)}`;
}

/** Base of the addresses in answers, without a trailing slash. */
export function publicBase(request: FastifyRequest, settings: Settings): string {
  if (settings.publicUrl !== "") return settings.publicUrl.replace(/\/+$/, "");
  return `${request.protocol}://${request.host}`;
}

/** What a request that names no model is taken to name. */
export const DEFAULT_MODEL = "solaria-1";

// The NATS servers that machines share: connection, log streams, and the key-value buckets of owners and machines.
import { readFileSync } from "node:fs";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nanos,
} from "@nats-io/transport-node";
import type { Logger } from "pino";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { retryFor } from "./retry.ts";

export interface BrokerOptions {
  /** Addresses, comma-separated; may contain a user and password, or a token. */
  url: string;
  /** Credentials file, empty for none. */
  credentialsFile: string;
  /** Prefix of every name, which separates services on the same servers. */
  prefix: string;
  /** Number of streams that new sessions are distributed over. */
  streams: number;
  /** Most bytes of all streams together; 0 leaves their limits as they are. */
  bytes: number;
  /** Copies of each message; 0 means as many as there are servers, up to three. */
  replicas: number;
  /** Retention of a session's messages. */
  keepSeconds: number;
  /** A machine without a heartbeat for this long counts as down. */
  machineSeconds: number;
  /** Called if the connection is closed for good, without `close`: nothing can be stored from then on. */
  onClosed?: (error: ParlanceError) => void;
  logger: Logger;
}

export interface Broker {
  connection: NatsConnection;
  stream: JetStreamClient;
  manager: JetStreamManager;
  /** Session → its owner. */
  owners: KV;
  /** Machine → heartbeat; entries expire. */
  machines: KV;
}

/** How long a start waits for the servers. */
const FIRST_ANSWER_MILLISECONDS = 20_000;
const ANSWER_MILLISECONDS = 2_000;
const CLUSTER_COPIES = 3;
/** Error code: a stream of this name exists with another configuration. */
const DIFFERS = 10_058;

export const streamName = (prefix: string, number: number) => `${prefix}-live-${number}`;
export const subjectOf = (prefix: string, number: number, id: string) => `${prefix}.live.${number}.${id}`;

function addressesOf(url: string): Pick<ConnectionOptions, "servers" | "user" | "pass" | "token" | "tls"> {
  const addresses = url.split(",").map((address) => new URL(address.trim()));
  const [first] = addresses as [URL];
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  return {
    servers: addresses.map(({ host }) => host),
    ...(first.protocol === "tls:" ? { tls: {} } : {}),
    ...(user !== "" && pass !== "" ? { user, pass } : {}),
    ...(user !== "" && pass === "" ? { token: user } : {}),
  };
}

/** Logs disconnects and reconnects. */
async function watch(connection: NatsConnection, { logger, onClosed }: BrokerOptions): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") logger.error("NATS is disconnected: live sessions wait until it reconnects");
    if (type === "reconnect") logger.info("NATS has reconnected");
  }
  const error = await connection.closed();
  if (error) onClosed?.(unusable(error));
}

/** Number of replicas that these servers can keep at present. */
function copiesOf(connection: NatsConnection, { replicas, logger }: BrokerOptions, isLastTry: boolean): number {
  if (replicas > 0) return replicas;
  if (connection.info?.cluster === undefined) return 1;
  if (isLastTry)
    logger.warn("fewer than three NATS servers: what is created now is stored without replicas until the next restart");
  return isLastTry ? 1 : CLUSTER_COPIES;
}

/** Replicas of what exists: raised to `copies`. It is lowered only to a number that the settings name. */
const copiesNow = (existing: number, copies: number, { replicas }: BrokerOptions) =>
  replicas > 0 ? replicas : Math.max(existing, copies);

async function openStreams(manager: JetStreamManager, options: BrokerOptions, copies: number): Promise<void> {
  const { prefix, keepSeconds, bytes } = options;
  for (let number = 0; number < options.streams; number++) {
    const name = streamName(prefix, number);
    const config = {
      subjects: [subjectOf(prefix, number, "*")],
      max_age: nanos(keepSeconds * 1000),
      // Acknowledged messages must not be evicted by new ones.
      discard: "new" as const,
      ...(bytes > 0 ? { max_bytes: Math.ceil(bytes / options.streams) } : {}),
      num_replicas: copies,
    };
    // Adding a stream that exists with this configuration has no effect; an update would not be free of side effects.
    await manager.streams.add({ name, ...config }).catch(async (error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== DIFFERS) throw error;
      const { num_replicas } = (await manager.streams.info(name)).config;
      await manager.streams.update(name, { ...config, num_replicas: copiesNow(num_replicas, copies, options) });
    });
  }
}

/** A bucket that exists keeps its configuration when it is opened, for example the one replica that a single server had. */
async function openBucket(
  { manager, buckets }: { manager: JetStreamManager; buckets: Kvm },
  { name, seconds, copies }: { name: string; seconds: number; copies: number },
  options: BrokerOptions,
): Promise<KV> {
  const bucket = await buckets.create(name, { history: 1, ttl: seconds * 1000, replicas: copies });
  const stream = `KV_${name}`;
  const { num_replicas, max_age, duplicate_window } = (await manager.streams.info(stream)).config;
  const wanted = { num_replicas: copiesNow(num_replicas, copies, options), max_age: nanos(seconds * 1000) };
  if (num_replicas !== wanted.num_replicas || max_age !== wanted.max_age) {
    // The servers refuse a window that is longer than the age.
    const window = Math.min(duplicate_window, wanted.max_age);
    await manager.streams.update(stream, { ...wanted, duplicate_window: window });
  }
  return bucket;
}

/** In the messages of NATS when its servers or the account have less storage than a stream reserves. The error codes of a cluster also have other causes. */
const TOO_LARGE = /\b(storage|resources)\b/;

const unusable = (error: unknown) =>
  errors.invalidSettings([
    error instanceof JetStreamApiError && TOO_LARGE.test(error.message)
      ? `PARLANCE_NATS_MAX_BYTES: NATS cannot reserve so much storage (${error.message})`
      : `PARLANCE_NATS_URL: ${(error as Error).message}. A NATS server with JetStream (nats-server -js) must answer there`,
  ]);

/** The credentials file is read for each connection: an operator replaces it before its content expires. */
function credentialsIn(file: string): Authenticator {
  let last = credsAuthenticator(readFileSync(file));
  return (nonce) => {
    try {
      const next = credsAuthenticator(readFileSync(file));
      const answer = next(nonce);
      last = next;
      return answer;
    } catch {
      // An error here would close the connection for good. The file may be incomplete while it is replaced.
      return last(nonce);
    }
  };
}

/** @throws settings.invalid if the servers do not answer */
export async function connectToNats({
  url,
  credentialsFile,
}: Pick<BrokerOptions, "url" | "credentialsFile">): Promise<NatsConnection> {
  return connect({
    ...addressesOf(url),
    ...(credentialsFile === "" ? {} : { authenticator: credentialsIn(credentialsFile) }),
    // Servers that restart may refuse their clients until they can verify them.
    ignoreAuthErrorAbort: true,
    name: "parlance",
    timeout: FIRST_ANSWER_MILLISECONDS,
    maxReconnectAttempts: -1,
  }).catch((error: unknown) => {
    throw unusable(error);
  });
}

/** Creates the streams and buckets, or sets their configuration. @throws settings.invalid if the servers do not answer, or JetStream is not enabled */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { prefix, logger } = options;
  const connection = await connectToNats(options);
  try {
    const opened = await retryFor(FIRST_ANSWER_MILLISECONDS, async (isLastTry) => {
      const copies = copiesOf(connection, options, isLastTry);
      const manager = await jetstreamManager(connection, { timeout: ANSWER_MILLISECONDS });
      await openStreams(manager, options, copies);
      const buckets = new Kvm(connection);
      const open = (name: string, seconds: number) =>
        openBucket({ manager, buckets }, { name: `${prefix}-${name}`, seconds, copies }, options);
      const owners = await open("live-owners", options.keepSeconds);
      return { manager, owners, machines: await open("machines", options.machineSeconds) };
    });
    watch(connection, options).catch((error: unknown) =>
      logger.warn({ err: error }, "the status of the NATS connection is not monitored"),
    );
    return { connection, stream: jetstream(connection, { timeout: ANSWER_MILLISECONDS }), ...opened };
  } catch (error) {
    await connection.close();
    throw unusable(error);
  }
}

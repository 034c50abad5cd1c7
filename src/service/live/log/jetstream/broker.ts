// The NATS servers that machines share: connection, log streams, and the key-value buckets of owners and machines.
import { readFile } from "node:fs/promises";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nanos,
} from "@nats-io/transport-node";
import type { Logger } from "pino";
import { errors } from "../../../../platform/errors.ts";
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
  /** Copies of each message; 0 means as many as there are servers, up to three. */
  replicas: number;
  /** Retention of a session's messages. */
  keepSeconds: number;
  /** A machine without a heartbeat for this long counts as down. */
  machineSeconds: number;
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
async function watch(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") logger.error("NATS is disconnected: live sessions wait until it reconnects");
    if (type === "reconnect") logger.info("NATS has reconnected");
  }
}

/** Number of replicas that these servers can keep. */
function copiesOf(connection: NatsConnection, { replicas, logger }: BrokerOptions, isLastTry: boolean): number {
  if (replicas > 0) return replicas;
  if (connection.info?.cluster === undefined) return 1;
  if (isLastTry)
    logger.warn("fewer than three NATS servers: live sessions are stored without replicas until the next restart");
  return isLastTry ? 1 : CLUSTER_COPIES;
}

async function openStreams(manager: JetStreamManager, options: BrokerOptions, copies: number): Promise<void> {
  const { prefix, keepSeconds } = options;
  for (let number = 0; number < options.streams; number++) {
    const name = streamName(prefix, number);
    const config = {
      subjects: [subjectOf(prefix, number, "*")],
      max_age: nanos(keepSeconds * 1000),
      // Acknowledged messages must not be evicted by new ones.
      discard: "new" as const,
      num_replicas: copies,
    };
    // Adding a stream that exists with this configuration has no effect; an update would not be free of side effects.
    await manager.streams.add({ name, ...config }).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== DIFFERS) throw error;
      return manager.streams.update(name, config);
    });
  }
}

const unusable = (error: unknown) =>
  errors.invalidSettings([
    `PARLANCE_NATS_URL: ${(error as Error).message}. A NATS server with JetStream (nats-server -js) must answer there`,
  ]);

/** @throws settings.invalid if the servers do not answer */
export async function connectToNats({
  url,
  credentialsFile,
}: Pick<BrokerOptions, "url" | "credentialsFile">): Promise<NatsConnection> {
  return connect({
    ...addressesOf(url),
    ...(credentialsFile === "" ? {} : { authenticator: credsAuthenticator(await readFile(credentialsFile)) }),
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
        buckets.create(`${prefix}-${name}`, { history: 1, ttl: seconds * 1000, replicas: copies });
      const owners = await open("live-owners", options.keepSeconds);
      return { manager, owners, machines: await open("machines", options.machineSeconds) };
    });
    watch(connection, logger).catch((error: unknown) =>
      logger.warn({ err: error }, "the status of the NATS connection is not monitored"),
    );
    return { connection, stream: jetstream(connection, { timeout: ANSWER_MILLISECONDS }), ...opened };
  } catch (error) {
    await connection.close();
    throw unusable(error);
  }
}

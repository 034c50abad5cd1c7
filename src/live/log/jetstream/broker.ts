// The NATS servers that machines share: connection, the streams that logs lie in, the buckets of owners and machines.
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
import { errors } from "../../../errors.ts";
import { patiently } from "./patiently.ts";

export interface BrokerOptions {
  /** Addresses, comma-separated; a user and password or a token may stand in them. */
  url: string;
  /** File of credentials, empty for none. */
  credentialsFile: string;
  /** Before every name: services that share the servers have their own. */
  prefix: string;
  /** Streams that new sessions are spread over. */
  streams: number;
  /** Servers that keep each message; 0 is as many as there are, up to three. */
  replicas: number;
  /** Longest time that anything of a session is needed. */
  keepSeconds: number;
  /** A machine that is silent for so long is taken for gone. */
  machineSeconds: number;
  logger: Logger;
}

export interface Broker {
  connection: NatsConnection;
  stream: JetStreamClient;
  manager: JetStreamManager;
  /** Session → who has it. */
  owners: KV;
  /** Machine → that it lives; entries end by themselves. */
  machines: KV;
}

/** How long a start waits for the servers. */
const FIRST_ANSWER_MILLISECONDS = 20_000;
const ANSWER_MILLISECONDS = 2_000;
const CLUSTER_COPIES = 3;
/** A stream of this name is there with another configuration. */
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

/** Tells the log when the servers go and come back. */
async function watch(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect") logger.error("NATS does not answer: live sessions wait for it");
    if (type === "reconnect") logger.info("NATS is back");
  }
}

/** Copies of each message that these servers can keep. */
function copiesOf(connection: NatsConnection, { replicas, logger }: BrokerOptions, isLastTry: boolean): number {
  if (replicas > 0) return replicas;
  if (connection.info?.cluster === undefined) return 1;
  if (isLastTry) logger.warn("fewer than three NATS servers: live sessions are kept once until this is started again");
  return isLastTry ? 1 : CLUSTER_COPIES;
}

async function openStreams(manager: JetStreamManager, options: BrokerOptions, copies: number): Promise<void> {
  const { prefix, keepSeconds } = options;
  for (let number = 0; number < options.streams; number++) {
    const name = streamName(prefix, number);
    const config = {
      subjects: [subjectOf(prefix, number, "*")],
      max_age: nanos(keepSeconds * 1000),
      // What was acknowledged is not thrown out for what comes.
      discard: "new" as const,
      num_replicas: copies,
    };
    // Nothing happens when it is there as it should be; an update that changes nothing would not be as harmless.
    await manager.streams.add({ name, ...config }).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== DIFFERS) throw error;
      return manager.streams.update(name, config);
    });
  }
}

/** @throws settings.invalid when the servers do not answer, or do not keep anything */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { credentialsFile, prefix, logger } = options;
  const unusable = (error: unknown) =>
    errors.invalidSettings([
      `PARLANCE_NATS_URL: ${(error as Error).message}. A NATS server with JetStream (nats-server -js) must answer there`,
    ]);
  const connection = await connect({
    ...addressesOf(options.url),
    ...(credentialsFile === "" ? {} : { authenticator: credsAuthenticator(await readFile(credentialsFile)) }),
    name: "parlance",
    timeout: FIRST_ANSWER_MILLISECONDS,
    maxReconnectAttempts: -1,
  }).catch((error: unknown) => {
    throw unusable(error);
  });
  try {
    const opened = await patiently(FIRST_ANSWER_MILLISECONDS, async (isLastTry) => {
      const copies = copiesOf(connection, options, isLastTry);
      const manager = await jetstreamManager(connection, { timeout: ANSWER_MILLISECONDS });
      await openStreams(manager, options, copies);
      const buckets = new Kvm(connection);
      const open = (name: string, seconds: number) =>
        buckets.create(`${prefix}-${name}`, { history: 1, ttl: seconds * 1000, replicas: copies });
      const owners = await open("live-owners", options.keepSeconds);
      return { manager, owners, machines: await open("machines", options.machineSeconds) };
    });
    watch(connection, logger).catch((error: unknown) => logger.warn({ err: error }, "NATS is not watched"));
    return { connection, stream: jetstream(connection, { timeout: ANSWER_MILLISECONDS }), ...opened };
  } catch (error) {
    await connection.close();
    throw unusable(error);
  }
}

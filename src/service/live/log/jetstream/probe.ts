// Checks for parlance doctor whether the NATS servers store and delete messages of live sessions. It creates and changes no stream.
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type BrokerOptions, connectToNats, streamName, subjectOf } from "./broker.ts";

const ANSWER_MILLISECONDS = 5_000;
/** Error code: there is no such stream. */
const NO_STREAM = 10_059;

/**
 * Stores a message of no session in each stream, and deletes it.
 * @param id  unlike that of every session
 * @returns what the servers do
 * @throws settings.invalid if the servers do not answer; otherwise what they refuse
 */
export async function probeNats(
  options: Pick<BrokerOptions, "url" | "credentialsFile" | "prefix" | "streams">,
  id: string,
): Promise<string> {
  const connection = await connectToNats(options);
  try {
    const stream = jetstream(connection, { timeout: ANSWER_MILLISECONDS });
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MILLISECONDS });
    const version = `NATS ${connection.info?.version ?? ""}`;
    let missing = 0;
    for (let number = 0; number < options.streams; number++) {
      const name = streamName(options.prefix, number);
      const info = await manager.streams.info(name).catch((error: unknown) => {
        if (error instanceof JetStreamApiError && error.code === NO_STREAM) return undefined;
        throw error;
      });
      if (!info) {
        missing++;
        continue;
      }
      const subject = subjectOf(options.prefix, number, id);
      await stream.publish(subject, "");
      await manager.streams.purge(name, { filter: subject });
    }
    if (missing === 0) return `${version} stores and deletes messages`;
    return `${version} answers; ${missing} of ${options.streams} streams are created by the next start of a process with the role live`;
  } finally {
    await connection.close();
  }
}

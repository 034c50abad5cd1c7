// Checks for parlance doctor whether the NATS servers store and delete messages of live sessions.
import { type BrokerOptions, openBroker, streamName, subjectOf } from "./broker.ts";

/**
 * Stores a message of no session in each stream, and deletes it.
 * @param id  unlike that of every session
 * @returns what answers
 * @throws settings.invalid if the servers do not answer; otherwise what they refuse
 */
export async function probeNats(options: BrokerOptions, id: string): Promise<string> {
  const { connection, stream, manager } = await openBroker(options);
  try {
    for (let number = 0; number < options.streams; number++) {
      const subject = subjectOf(options.prefix, number, id);
      await stream.publish(subject, "");
      await manager.streams.purge(streamName(options.prefix, number), { filter: subject });
    }
    return `NATS ${connection.info?.version ?? ""}`;
  } finally {
    await connection.close();
  }
}

// Error events about frames that cannot be read or have unknown fields.
import type { ClientCommand } from "../events/client-command.ts";
import type { Outbox } from "./outbox.ts";

/** Most unknown fields reported in a session. */
const MOST_REPORTED_FIELDS = 20;

export class FrameReports {
  private readonly reportedFields = new Set<string>();

  constructor(private readonly outbox: Outbox) {}

  /** Reports each unknown field once, as clients usually send it in every frame. */
  async unknownFields(names: readonly string[]): Promise<void> {
    const fresh = names.filter((name) => !this.reportedFields.has(name));
    if (fresh.length === 0 || this.reportedFields.size >= MOST_REPORTED_FIELDS) return;
    for (const name of fresh) this.reportedFields.add(name);
    const isLast = this.reportedFields.size >= MOST_REPORTED_FIELDS;
    await this.outbox.send({
      kind: "error",
      code: "invalid_message",
      reason: `unknown fields are ignored: ${fresh.join(", ")}${isLast ? "; further ones are not reported" : ""}`,
    });
  }

  async unreadable({ isChunk, isKept, reason }: Extract<ClientCommand, { kind: "unreadable" }>): Promise<void> {
    if (isKept) return this.outbox.persistAndSendOnce({ kind: "error", code: "invalid_message", reason });
    if (isChunk) void this.outbox.send({ kind: "chunkRefused", reason });
    await this.outbox.send({ kind: "error", code: "invalid_message", reason });
  }
}

// Error events about frames that cannot be read or have unknown fields.
import { listed } from "../../../contract/first-of.ts";
import type { ClientCommand } from "../events/client-command.ts";
import type { Outbox } from "./outbox.ts";

/** Most unknown fields named in a session. */
const MOST_REPORTED_FIELDS = 20;

export class FrameReports {
  private readonly reportedFields = new Set<string>();

  constructor(private readonly outbox: Pick<Outbox, "persistAndSendOnce" | "send">) {}

  /** Reports each unknown field once, as clients usually send it in every frame. The last report counts those that it does not name. */
  async unknownFields(names: readonly string[]): Promise<void> {
    const room = MOST_REPORTED_FIELDS - this.reportedFields.size;
    if (room <= 0) return;
    const fresh = [...new Set(names)].filter((name) => !this.reportedFields.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.reportedFields.add(name);
    const isLast = fresh.length >= room;
    await this.outbox.send({
      kind: "error",
      code: "invalid_message",
      reason: `unknown fields are ignored: ${listed(fresh, room)}${isLast ? "; further ones are not reported" : ""}`,
    });
  }

  async unreadable({
    isChunk,
    isKept,
    reason,
    code = "invalid_message",
  }: Extract<ClientCommand, { kind: "unreadable" }>): Promise<void> {
    if (isKept) return this.outbox.persistAndSendOnce({ kind: "error", code, reason });
    if (isChunk) void this.outbox.send({ kind: "chunkRefused", reason });
    await this.outbox.send({ kind: "error", code, reason });
  }
}

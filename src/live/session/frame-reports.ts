// Answers to frames that are not understood.
import type { ClientFrame } from "../connection/protocol.ts";
import { chunkRefused, clientError } from "./messages.ts";
import type { Outbox } from "./outbox.ts";

/** Further unknown fields of frames are not reported. */
const MOST_REPORTED_FIELDS = 20;

export class FrameReports {
  private readonly reportedFields = new Set<string>();

  constructor(private readonly outbox: Outbox) {}

  /** Reports each unknown field once: clients that send one send it in every frame. */
  async unknownFields(names: readonly string[]): Promise<void> {
    const fresh = names.filter((name) => !this.reportedFields.has(name));
    if (fresh.length === 0 || this.reportedFields.size >= MOST_REPORTED_FIELDS) return;
    for (const name of fresh) this.reportedFields.add(name);
    await this.outbox.send(clientError("invalid_message", `unknown fields are ignored: ${fresh.join(", ")}`));
  }

  async unreadable({ isChunk, reason }: Extract<ClientFrame, { kind: "unreadable" }>): Promise<void> {
    if (isChunk) void this.outbox.send(chunkRefused(reason));
    await this.outbox.send(clientError("invalid_message", reason));
  }
}

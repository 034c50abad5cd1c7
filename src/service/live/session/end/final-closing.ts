// Decides how the connection of an ending session is closed. "Complete" promises the client that everything it sent is in the result, so
// this class alone gives it, after comparing what was received with what was stored.
import type { ClientCommand } from "../../events/client-command.ts";
import type { Closing, StopCause } from "../../events/closing.ts";
import type { Connection } from "../session-contract.ts";

export class FinalClosing {
  /** Audio of the current connection, bytes: received, stored, and received before the client requested the stop. */
  private received = 0;
  private stored = 0;
  private receivedBeforeStop: number | undefined;
  /** Frames are processed in order, so what precedes a stop was stored before it. */
  private isWhole = true;
  private hasClosed = false;
  private refusal: Closing | undefined;

  /** @param cause  of a session that an earlier process stopped */
  constructor(private cause: StopCause | undefined) {}

  /** A connection was accepted. Its client resends what was not acknowledged before. */
  attached(): void {
    this.received = 0;
    this.stored = 0;
    this.receivedBeforeStop = undefined;
  }

  receives(command: ClientCommand): void {
    if (command.kind === "audio") this.received += command.bytes.length;
    if (command.kind === "stop") this.receivedBeforeStop ??= this.received;
  }

  /** Audio is in the log. */
  stores(bytes: number): void {
    this.stored += bytes;
  }

  /** The first cause counts. */
  stops(cause: StopCause): void {
    if (this.cause !== undefined) return;
    this.cause = cause;
    this.isWhole = this.stored >= (this.receivedBeforeStop ?? 0);
  }

  /** The session has no result. @returns the closing */
  refuses(closing: Closing): Closing {
    this.refusal = closing;
    return closing;
  }

  /**
   * Called when the last messages of the connection were sent or the end is stored, and then for every later connection.
   * @param storedSeconds  duration of the stored audio
   */
  close(connection: Pick<Connection, "close"> | undefined, storedSeconds: number): void {
    connection?.close(this.closing(storedSeconds));
    this.hasClosed = true;
  }

  private closing(storedSeconds: number): Closing {
    if (this.refusal) return this.refusal;
    const { cause = "client" } = this;
    // A client that reconnects for the last messages is not idle.
    if (cause === "idle" && !this.hasClosed) return { kind: "idle" };
    if (cause === "client" && this.isWhole) return { kind: "complete", storedSeconds };
    return { kind: "ended", storedSeconds, cause };
  }
}

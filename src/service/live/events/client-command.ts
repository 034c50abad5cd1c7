// Commands of a client, which dialects read from its frames.
export type ClientCommand =
  /** `unknownFields`: dotted paths of fields that the message does not have; absent if there are none. */
  | { kind: "audio"; bytes: Buffer; unknownFields?: string[] }
  | { kind: "stop"; unknownFields?: string[] }
  /** The utterance ends with the audio sent so far; later audio starts a new one. */
  | { kind: "finalize"; unknownFields?: string[] }
  /**
   * Messages of the dialect itself. `print` is called when earlier commands are processed and their messages sent. `seconds`: length of the audio of
   * these commands. `bytes`: of the frame.
   */
  | { kind: "answer"; bytes: number; print: (seconds: number) => string[] }
  /** Any other frame; the client is sent the reason. */
  | { kind: "unreadable"; reason: string; isChunk: boolean };

/** Memory that a waiting command holds. */
export const heldBytes = (command: ClientCommand): number =>
  command.kind === "audio" ? command.bytes.length : command.kind === "answer" ? command.bytes : 0;

/** How a connection ended: the client is done, which ends the recording, or it may reconnect. */
export type Departure = "finished" | "lost";

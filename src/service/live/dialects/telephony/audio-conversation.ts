// A connection of an interface that sends audio in binary messages after a first message, and reads transcripts on the same connection.

import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import type { ClientCommand, Departure } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import type { CloseFrame, Conversation, Finding, Frame, Opening, Sessions, WaitingClient } from "../dialect.ts";
import { CLOSED_BY_CLIENT, closeFrame } from "./close-frames.ts";
import { KeptWarnings } from "./kept-warnings.ts";
import { addressParameters, EarlyAccess, openSession, type StreamStart } from "./opened-session.ts";

/** Five seconds of stereo at 48 kHz: modules of FreeSWITCH send what they have buffered in one message. */
export const MOST_AUDIO_MESSAGE_BYTES = 1_048_576;

/** A transcript, as a dialect prints it. */
export interface Transcript {
  sessionId: string;
  id: string;
  utterance: Utterance;
  isFinal: boolean;
}

/** What the first message of a connection began. */
export interface Begun {
  start: StreamStart;
  /** Of the first message. */
  audio?: Buffer;
  /** A text message after the first one. @returns why it has no effect */
  read(bytes: Buffer): "stop" | { warning: string };
  print(transcript: Transcript): object;
}

export interface AudioWire {
  /** Parameters of the address that the interface reads itself. */
  readonly parameters: readonly string[];
  /** Never throws. @returns what the first message begins, or its problems, a sentence each */
  begin(frame: Frame, opening: Opening): Begun | string[];
  /** The message that states why the connection is closed; undefined where the interface has none. */
  error(reason: string): object | undefined;
}

export class AudioConversation implements Conversation {
  readonly lastEvent = "recordingEnded";
  readonly openingCommands: ClientCommand[] = [];
  private begun: Begun | undefined;
  private isOwn = true;
  private readonly warnings = new KeptWarnings();
  private readonly early: EarlyAccess;

  constructor(
    private readonly wire: AudioWire,
    private readonly opening: Opening,
  ) {
    this.early = new EarlyAccess(opening, false);
  }

  authenticate<Found>(sessions: Sessions<Found>): Promise<boolean> {
    return this.early.authenticate(sessions);
  }

  async findSession<Found>(sessions: Sessions<Found>, client: WaitingClient): Promise<Finding<Found>> {
    try {
      const frame = await client.next();
      if (frame === "left") return frame;
      if (frame === "idle") return { closing: { kind: "idle" } };
      const begun = this.wire.begin(frame, this.opening);
      if (Array.isArray(begun)) throw errors.invalidParameters(begun);
      const address = addressParameters(this.opening, this.wire.parameters);
      const { found, isOwn, warnings } = await openSession(
        begun.start,
        address,
        this.opening,
        sessions,
        this.early.owner,
      );
      this.begun = begun;
      this.isOwn = isOwn;
      this.openingCommands.push(...this.warnings.commandsFor(warnings), ...audioOf(begun.audio));
      return { found };
    } catch (error) {
      // Other errors are faults of the service, which the connection logs.
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[] {
    if (isBinary) return audioOf(frame);
    const message = this.begun?.read(frame);
    if (message === undefined) return [];
    return message === "stop" ? [{ kind: "stop" }] : this.warnings.commandsFor([message.warning]);
  }

  print({ event, sessionId }: EmittedEvent): string[] {
    if (event.kind !== "final" && event.kind !== "partial") return [];
    const { id, utterance } = event;
    if (!this.begun || utterance.text.trim() === "") return [];
    return [JSON.stringify(this.begun.print({ sessionId, id, utterance, isFinal: event.kind === "final" }))];
  }

  farewell(closing: Closing): string[] {
    if (closing.kind === "complete" || closing.kind === "idle") return [];
    const error = this.wire.error(closeFrame(closing).reason);
    return error ? [JSON.stringify(error)] : [];
  }

  closeFrame(closing: Closing): CloseFrame {
    return closeFrame(closing);
  }

  /** A session that the caller created may wait for another connection. */
  departureOf(closeCode: number): Departure {
    return this.isOwn || CLOSED_BY_CLIENT.includes(closeCode) ? "finished" : "lost";
  }
}

const audioOf = (bytes: Buffer | undefined): ClientCommand[] =>
  bytes === undefined || bytes.length === 0 ? [] : [{ kind: "audio", bytes, continues: true }];

// A connection of a telephony platform that streams a call in JSON messages. The platform reads no transcripts: callbacks and the result of
// the session have them, and warnings stand in the result.

import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { bytesPerFrame, silentByte } from "../../../../speech/audio/stream-format.ts";
import type { ClientCommand, Departure } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { CloseFrame, Conversation, Finding, Opening, Sessions, WaitingClient } from "../dialect.ts";
import { CLOSED_BY_CLIENT, closeFrame } from "../telephony/close-frames.ts";
import { KeptWarnings } from "../telephony/kept-warnings.ts";
import { addressParameters, EarlyAccess, openSession } from "../telephony/opened-session.ts";
import { checkSignature } from "../telephony/twilio-signature.ts";
import { type Fields, isFields, shown } from "../text-message.ts";
import { countIn, type Message, payloadIn, readMessage, shownValue } from "./messages.ts";
import { OWN_PARAMETERS, type Platform, readStart, type Stream } from "./platforms.ts";
import { Timeline } from "./timeline.ts";

/** Messages in which `start` must come; platforms send one before it. */
const START_WITHIN_MESSAGES = 10;
/** A stream with more of them is of another interface. */
const MOST_UNREADABLE = 100;

interface Running {
  stream: Stream;
  timeline: Timeline;
  sampleBytes: number;
  isOwn: boolean;
}

export class MediaStreamConversation implements Conversation {
  readonly lastEvent = "recordingEnded";
  readonly openingCommands: ClientCommand[] = [];
  private running: Running | undefined;
  private unreadable = 0;
  private hasEnded = false;
  private readonly warnings = new KeptWarnings();
  private readonly early: EarlyAccess;

  constructor(
    private readonly platform: Platform,
    private readonly opening: Opening,
  ) {
    this.early = new EarlyAccess(opening, true);
  }

  async authenticate<Found>(sessions: Sessions<Found>): Promise<boolean> {
    if (this.platform.isSigned && sessions.signed) checkSignature(this.opening.headers, sessions.signed);
    return this.early.authenticate(sessions);
  }

  // Before the session

  async findSession<Found>(sessions: Sessions<Found>, client: WaitingClient): Promise<Finding<Found>> {
    try {
      const message = await this.startOf(client);
      if (message === "left") return message;
      if (message === "idle") return { closing: { kind: "idle" } };
      const stream = readStart(this.platform, message, [...this.opening.query]);
      if (Array.isArray(stream)) throw errors.invalidParameters(stream);
      const address = addressParameters(this.opening, OWN_PARAMETERS);
      const { found, isOwn, warnings } = await openSession(stream, address, this.opening, sessions, this.early.owner);
      const { format, tracks } = stream;
      const sampleBytes = bytesPerFrame({ ...format, channels: 1 });
      const timeline = new Timeline({
        tracks: tracks.length,
        sampleRate: format.sampleRate,
        sampleBytes,
        silence: silentByte(format),
        now: () => performance.now(),
      });
      this.running = { stream, timeline, sampleBytes, isOwn };
      this.openingCommands.push(...this.warnings.commandsFor(warnings));
      return { found };
    } catch (error) {
      // Other errors are faults of the service, which the connection logs.
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  /** @throws request.invalid */
  private async startOf(client: WaitingClient): Promise<Fields | "left" | "idle"> {
    for (let count = 0; count < START_WITHIN_MESSAGES; count++) {
      const frame = await client.next();
      if (typeof frame === "string") return frame;
      const message = readMessage(frame.bytes, frame.isBinary);
      if ("refused" in message) throw errors.invalidParameters([message.refused]);
      if (message.event === "start") return message.fields;
      if (message.event !== "connected") {
        throw errors.invalidParameters([`the message ${shown(message.event)} came before start`]);
      }
    }
    throw errors.invalidParameters([`start must be one of the first ${START_WITHIN_MESSAGES} messages`]);
  }

  // With the session

  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[] {
    const { running } = this;
    // Platforms may send messages after stop.
    if (!running || this.hasEnded) return [];
    return this.commandsFor(readMessage(frame, isBinary), running);
  }

  private commandsFor(message: Message, running: Running): ClientCommand[] {
    if ("refused" in message) return this.refuse(message.refused);
    const { event, fields } = message;
    const { ignored } = this.platform;
    if (event === "media") return this.media(fields, running);
    if (event === "stop") {
      this.hasEnded = true;
      return [...this.audio(running, running.timeline.end()), { kind: "stop" }];
    }
    if (event === "connected") return [];
    if (event === "start") return this.refuse("start came twice");
    if (event === "error")
      return this.warnings.commandsFor([`the platform reported an error: ${shown(JSON.stringify(fields))}`]);
    const reason = Object.hasOwn(ignored, event) ? ignored[event] : "it is not a message of this interface";
    return this.warnings.commandsFor([`${shown(event)} has no effect: ${reason}`]);
  }

  private media(fields: Fields, running: Running): ClientCommand[] {
    const { media } = fields;
    const { stream, timeline, sampleBytes } = running;
    if (!isFields(media)) return this.refuse("the message media must have an object media");
    const bytes = payloadIn(media, sampleBytes);
    if (typeof bytes === "string") return this.refuse(bytes);
    const name = media["track"] ?? stream.tracks[0];
    const track = typeof name === "string" ? stream.tracks.indexOf(name) : -1;
    if (track < 0) {
      return this.warnings.commandsFor([
        `media of the track ${shownValue(name)} has no effect: the session has ${stream.tracks.join(" and ")}`,
      ]);
    }
    const problems: string[] = [];
    countIn(fields, this.platform.sequenceField, problems);
    const chunk = countIn(media, "chunk", problems);
    const milliseconds = countIn(media, "timestamp", problems);
    if (problems.length > 0) return this.refuse(problems.join("; "));
    if (stream.format.encoding === "wav/pcm" && stream.byteOrder === "big") bytes.swap16();
    return this.audio(running, timeline.push({ track, chunk, milliseconds, bytes }));
  }

  private audio({ timeline }: Running, pieces: readonly Buffer[]): ClientCommand[] {
    const warnings = this.warnings.commandsFor(timeline.problems.splice(0));
    return [...warnings, ...pieces.map((bytes): ClientCommand => ({ kind: "audio", bytes, continues: true }))];
  }

  /** A message that cannot be used. Many of them end the session. */
  private refuse(reason: string): ClientCommand[] {
    if (++this.unreadable < MOST_UNREADABLE) return this.warnings.commandsFor([`a message was left out: ${reason}`]);
    this.hasEnded = true;
    return [{ kind: "refuse", reason: `${MOST_UNREADABLE} messages could not be read: ${reason}` }];
  }

  rest(): ClientCommand[] {
    const { running } = this;
    return running && !this.hasEnded ? this.audio(running, running.timeline.end()) : [];
  }

  print(): string[] {
    return [];
  }

  farewell(): string[] {
    return [];
  }

  closeFrame(closing: Closing): CloseFrame {
    return closeFrame(closing);
  }

  /** Platforms do not reconnect; a session that the caller created may wait for another stream. */
  departureOf(closeCode: number): Departure {
    const mayReturn = this.running?.isOwn === false && !this.hasEnded && !CLOSED_BY_CLIENT.includes(closeCode);
    return mayReturn ? "lost" : "finished";
  }
}

// A connection of a client of AssemblyAI's streaming interface. Its session is created before the upgrade, and a refusal is an answer of
// HTTP.

import type { IncomingHttpHeaders } from "node:http";
import type { StreamingMessage } from "../../../../contract/assemblyai.ts";
import { ParlanceError } from "../../../../platform/errors.ts";
import type { ClientCommand, Departure } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent, LastEvent } from "../../events/live-event.ts";
import {
  type CloseFrame,
  type Conversation,
  checkInterface,
  type Finding,
  type Opening,
  type Owner,
  type Sessions,
  streamingTokenOf,
} from "../dialect.ts";
import { headerText } from "../header-text.ts";
import { PendingUpdate } from "../pending-update.ts";
import { SentOnce } from "../sent-once.ts";
import { noField } from "../unknown-names.ts";
import { type ClientMessage, parseClientMessage, type Update } from "./client-messages.ts";
import { type StreamingOptions, streamingOptions } from "./options.ts";
import { CODES, closeFrame, refusal } from "./problem.ts";
import type { TurnSettings } from "./turn-settings.ts";
import { StreamingTurns, type TurnForm, warning } from "./turns.ts";
import { type ReadUpdate, readUpdate } from "./update.ts";
import { isRoutine } from "./without-effect.ts";

const API_VERSION = "2025-05-12";

interface Running {
  id: string;
  options: StreamingOptions;
  turns: StreamingTurns;
  /** What UpdateConfiguration can change. */
  form: TurnForm;
  settings: TurnSettings;
  /** That may be spoken; none for any. */
  languages: readonly string[];
  /** Seconds since 1970. */
  expiresAt: number;
}

export class StreamingConversation implements Conversation {
  readonly openingCommands: ClientCommand[] = [];
  private running: Running | undefined;
  private hasBegun = false;
  private readonly warned = new SentOnce();
  private readonly updates = new PendingUpdate<ReadUpdate>();
  /** Why a message of the client could not be read. */
  private unreadable: CloseFrame | undefined;

  readonly handshake = {
    headers: () => this.answerHeaders(),
    refusal,
    endsWithoutUpgrade: () => true,
  };

  constructor(private readonly opening: Opening) {}

  async findSession<Found>(sessions: Sessions<Found>): Promise<Finding<Found>> {
    try {
      const { headers, query, at } = this.opening;
      const owner = await sessions.authenticate(accessOf(headers, query));
      const options = streamingOptions(query, sessions);
      const model = await sessions.modelNamed(options.model, "assemblyai");
      const mostSeconds = mostSecondsOf(owner);
      const { warnings, body, idleSeconds } = options;
      const client = {
        reconnects: false,
        ...(idleSeconds === undefined ? {} : { idle_seconds: idleSeconds }),
        ...(mostSeconds === undefined ? {} : { most_seconds: mostSeconds }),
      };
      const { id, found } = await sessions.create({ owner, body: { ...body, model }, warnings, client }, at);
      const { formatsTurns, namesLanguages, namesSpeakers, turns: settings } = options;
      const { languages = [] } = body.language_config ?? {};
      const form = { formatsTurns, namesLanguages, namesSpeakers };
      const expiresAt =
        Math.floor(at / 1000) + Math.min(sessions.longestSeconds, mostSeconds ?? Number.POSITIVE_INFINITY);
      this.running = { id, options, turns: new StreamingTurns(form), form, settings, languages, expiresAt };
      // Clients send their audio after Begin.
      this.openingCommands.push(this.answer(0, () => []));
      return { found };
    } catch (error) {
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  /** SpeakerRevision may follow the last Turn. */
  get lastEvent(): LastEvent {
    return this.running?.form.namesSpeakers ? "speakersRevised" : "recordingEnded";
  }

  private answerHeaders(): Record<string, string> {
    const warnings = this.running?.options.warnings ?? [];
    return warnings.length > 0 ? { "x-parlance-warnings": headerText(...warnings) } : {};
  }

  private answer(bytes: number, print: () => readonly StreamingMessage[]): ClientCommand {
    return { kind: "answer", bytes, print: () => this.texts(print()) };
  }

  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[] {
    const { running } = this;
    // What follows an unreadable message has no meaning: its audio could have been meant for another configuration.
    if (!running || this.unreadable) return [];
    const message = parseClientMessage(frame, isBinary);
    const unknown = this.unknownFields(message);
    const commands = unknown.length > 0 ? [this.answer(frame.length, () => unknown)] : [];
    return [...commands, ...this.commandsFor(message, running, frame.length)];
  }

  private commandsFor(message: ClientMessage, running: Running, bytes: number): ClientCommand[] {
    switch (message.kind) {
      case "audio":
        if (message.bytes.length === 0) return [this.answer(0, () => [])];
        return [{ kind: "audio", bytes: message.bytes, continues: true }];
      case "keepAlive":
        return [this.answer(bytes, () => [])];
      case "force":
        return [{ kind: "finalize" }];
      case "close":
        return [{ kind: "stop" }];
      case "update":
        return this.updates.commands(bytes, () => this.texts(this.update(message.wanted, running)));
      case "refused":
        // Clients leave at an Error: it follows the last turn of the audio so far.
        this.unreadable = { code: message.code, reason: message.reason };
        return [{ kind: "stop" }];
    }
  }

  private update(wanted: Update, running: Running): StreamingMessage[] {
    const update = readUpdate(wanted, { ...running, turns: running.settings, model: running.options.model });
    const { problems, warnings } = update;
    if (problems.length > 0) return [warning(`UpdateConfiguration was not used: ${problems.join("; ")}`)];
    if (update.change) this.updates.begin(update);
    else this.use(update, running);
    return toSend(this.warned.fresh(warnings));
  }

  private use({ turns, formatsTurns, languages }: ReadUpdate, running: Running): void {
    running.settings = turns;
    running.languages = languages ?? running.languages;
    running.form.formatsTurns = formatsTurns ?? running.form.formatsTurns;
  }

  /** Each is named once. */
  private unknownFields(message: ClientMessage): StreamingMessage[] {
    const names = "unknownFields" in message ? message.unknownFields : [];
    return this.warned.fresh(names.map(noField)).map(warning);
  }

  /** The answer of the session to the UpdateConfiguration. */
  private answered({ event }: EmittedEvent): void {
    const { answer, update } = this.updates.answeredBy(event);
    if (answer?.kind === "configured" && update && this.running) this.use(update, this.running);
  }

  print(emitted: EmittedEvent): string[] {
    this.answered(emitted);
    return this.texts(this.running?.turns.print(emitted) ?? []);
  }

  private welcome({ id, expiresAt, options }: Running): StreamingMessage[] {
    const { model, namesSpeakers, warnings } = options;
    const configuration = { model, api_version: API_VERSION, speaker_labels: namesSpeakers };
    return [{ type: "Begin", id, expires_at: expiresAt, configuration }, ...toSend(this.warned.fresh(warnings))];
  }

  /** Called when the messages are sent. */
  private texts(messages: readonly StreamingMessage[]): string[] {
    // Events of the session may precede the opening commands; Begin is the first message all the same.
    const welcome = this.running && !this.hasBegun ? this.welcome(this.running) : [];
    this.hasBegun ||= welcome.length > 0;
    return [...welcome, ...messages].map((message) => JSON.stringify(message));
  }

  farewell(closing: Closing): string[] {
    if (!this.running) return [];
    const { code, reason } = this.closeFrame(closing);
    if (code !== CODES.complete) return this.texts([{ type: "Error", error_code: code, error: reason }]);
    const audio = Math.round(this.running.turns.durationSeconds);
    const session = Math.round((Date.now() - this.opening.at) / 1000);
    const warnings = this.warned.all.length > 0 ? { warnings: this.warned.all } : {};
    return this.texts([
      { type: "Termination", audio_duration_seconds: audio, session_duration_seconds: session, ...warnings },
    ]);
  }

  closeFrame(closing: Closing): CloseFrame {
    return closing.kind === "complete" && this.unreadable ? this.unreadable : closeFrame(closing);
  }

  departureOf(): Departure {
    return "finished";
  }
}

/** Termination has all of them. */
const toSend = (warnings: readonly string[]): StreamingMessage[] =>
  warnings.filter((text) => !isRoutine(text)).map(warning);

/** Client secrets of another interface open none of these sessions. @throws account.key_unknown */
function mostSecondsOf(owner: Owner): number | undefined {
  checkInterface(owner, "assemblyai");
  return streamingTokenOf(owner.configuration)?.mostSeconds;
}

/** Some clients send the key behind a scheme all the same. */
const AUTHORIZATION = /^(?:(?:bearer|token)\s+)?(\S+)\s*$/i;

/**
 * The account key alone in the header authorization, or a token in the address, for browsers.
 * @returns account key or token; undefined without one
 */
function accessOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const token = query.get("token")?.trim();
  return token || AUTHORIZATION.exec(headers.authorization ?? "")?.[1];
}

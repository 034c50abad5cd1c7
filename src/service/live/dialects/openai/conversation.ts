// A connection of a client of OpenAI's Realtime interface. Its session is created with the first audio, or shortly after it, so that
// session.update can configure it, and so that connections that a client keeps in reserve count as no session.
import { randomUUID } from "node:crypto";
import type { RealtimeMessage } from "../../../../contract/realtime.ts";
import { ParlanceError } from "../../../../platform/errors.ts";
import type { ClientCommand, Departure } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import {
  type CloseFrame,
  type Conversation,
  checkInterface,
  type Finding,
  type Opening,
  type Owner,
  type Sessions,
  type WaitingClient,
} from "../dialect.ts";
import { PendingUpdate } from "../pending-update.ts";
import { SentOnce } from "../sent-once.ts";
import { noField } from "../unknown-names.ts";
import { accessOf, isBetaClient } from "./access.ts";
import { addressWarnings, modelOf } from "./address.ts";
import { type ClientEvent, parseClientEvent } from "./client-events.ts";
import { type Configuration, DEFAULT_CONFIGURATION, readSession } from "./configuration.ts";
import { HeldAudio, type HeldEvent } from "./held-audio.ts";
import { Items } from "./items.ts";
import { closeFrame, closingError, errorsOf, type Problem, updateRefusals } from "./problem.ts";
import { type RunningUpdate, runningUpdate } from "./running-update.ts";
import { betaSessionShape, liveBodyOf, PCM_BIT_DEPTH, sessionShape } from "./session-shapes.ts";
import { effectiveTurnDetection, endpointingOf } from "./turn-detection.ts";

/** Less audio than this cannot be committed, seconds. */
const LEAST_COMMIT_SECONDS = 0.1;

/** An update that the session has not answered. */
interface RealtimeUpdate extends Omit<RunningUpdate, "problems"> {
  isBeta: boolean;
  eventId: string | null;
}

export class RealtimeConversation implements Conversation {
  readonly lastEvent = "recordingEnded";
  readonly openingCommands: ClientCommand[] = [];
  private configuration: Configuration = DEFAULT_CONFIGURATION;
  /** By the client or by its secret, before the session. */
  private isConfigured = false;
  private readonly updates = new PendingUpdate<RealtimeUpdate>();
  /** Of this service, for the configured one. */
  private model: string | undefined;
  private isBeta: boolean;
  private receivedBytes = 0;
  /** Of the session, which no update changes. */
  private speechThreshold: number | undefined;
  /** Where the client ended the audio last, seconds: the answers may not be printed yet. */
  private endedUntil = 0;
  private readonly sessionId = `sess_${randomUUID().replaceAll("-", "")}`;
  private readonly warnings = new SentOnce();
  private readonly items = new Items({
    isBeta: () => this.isBeta,
    detectsTurns: () => this.detectsTurns,
    configuration: () => this.configuration,
  });

  constructor(private readonly opening: Opening) {
    this.isBeta = isBetaClient(opening.headers);
  }

  private get detectsTurns(): boolean {
    const { turnDetection, model } = this.configuration;
    return effectiveTurnDetection(turnDetection, model) !== null;
  }

  private get receivedSeconds(): number {
    const { encoding, sampleRate } = this.configuration;
    return this.receivedBytes / (sampleRate * (encoding === "audio/pcm" ? PCM_BIT_DEPTH / 8 : 1));
  }

  // Before the session

  async findSession<Found>(sessions: Sessions<Found>, client: WaitingClient): Promise<Finding<Found>> {
    try {
      const owner = await sessions.authenticate(accessOf(this.opening.headers));
      await this.configureFrom(owner, sessions);
      await client.send(texts([this.state("created", addressWarnings(this.opening.query))]));
      const held = new HeldAudio(() => performance.now());
      for (;;) {
        const frame = await client.next(held.millisecondsLeft);
        if (frame === "left" || frame === "idle") {
          if (!held.isEmpty) return await this.begin(held.events, owner, sessions);
          return frame === "left" ? frame : { closing: { kind: "idle" } };
        }
        const event = parseClientEvent(frame.bytes);
        const isAudio = event.kind === "append" && event.audio.length > 0;
        // It ends the audio before it.
        const isEnd = (event.kind === "commit" || event.kind === "clear") && !held.isEmpty;
        if (isAudio || isEnd) held.add({ event, bytes: frame.bytes.length });
        else await client.send(texts(await this.prepare(event, sessions)));
        const isOver = this.isConfigured || isEnd || held.isOver;
        if (isOver && !held.isEmpty) return await this.begin(held.events, owner, sessions);
      }
    } catch (error) {
      // Other errors are faults of the service, which the connection logs.
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  private async begin<Found>(
    held: readonly HeldEvent[],
    owner: Owner,
    sessions: Sessions<Found>,
  ): Promise<Finding<Found>> {
    this.model ??= await sessions.modelNamed(this.configuration.model, "openai");
    const body = liveBodyOf(this.configuration, this.model);
    const wanted = { owner, body, warnings: this.warnings.all, client: { reconnects: false } };
    const { found } = await sessions.create(wanted, this.opening.at);
    for (const { event, bytes } of held) this.openingCommands.push(...this.commandsFor(event, bytes));
    return { found };
  }

  /** Takes over what the client secret and the address say. */
  private async configureFrom(owner: Owner, sessions: Sessions<unknown>): Promise<void> {
    checkInterface(owner, "openai");
    if (owner.configuration !== undefined) {
      this.configuration = readSession(owner.configuration, this.configuration).configuration;
      this.isConfigured = true;
    }
    const named = modelOf(this.opening.query);
    if (named === undefined) return;
    this.model = await sessions.modelNamed(named, "openai");
    this.configuration = { ...this.configuration, model: named };
  }

  /** @returns answers to a message other than audio */
  private async prepare(event: ClientEvent, sessions: Sessions<unknown>): Promise<RealtimeMessage[]> {
    if (event.kind !== "update") return [...this.fresh(unknownWarnings(event)), ...this.answerTo(event)];
    const { configuration, problems, warnings } = readSession(event.session, this.configuration);
    if (problems.length === 0 && configuration.model !== this.configuration.model) {
      try {
        this.model = await sessions.modelNamed(configuration.model, "openai");
      } catch (error) {
        if (!(error instanceof ParlanceError) || error.code !== "models.unknown") throw error;
        problems.push({
          code: "model_not_found",
          message: error.message,
          param: "session.audio.input.transcription.model",
        });
      }
    }
    this.isBeta ||= event.isBeta;
    if (problems.length > 0) return refusalsOf(problems, event);
    this.configuration = configuration;
    this.isConfigured = true;
    return [this.state("updated", [...unknownWarnings(event), ...warnings], event.isBeta)];
  }

  // With the session

  commandsOf(frame: Buffer): ClientCommand[] {
    return this.commandsFor(parseClientEvent(frame), frame.length);
  }

  /** @param bytes  length of the frame */
  private commandsFor(event: ClientEvent, bytes: number): ClientCommand[] {
    const commands: ClientCommand[] = [];
    const answer = (print: (seconds: number) => RealtimeMessage[]) =>
      commands.push({ kind: "answer", bytes, print: ({ seconds }) => texts(print(seconds)) });
    // Those of an update are in its answer.
    const unknown = event.kind === "update" ? [] : this.fresh(unknownWarnings(event));
    if (unknown.length > 0) answer(() => unknown);
    if (event.kind === "append") {
      this.receivedBytes += event.audio.length;
      if (event.audio.length > 0) commands.push({ kind: "audio", bytes: event.audio });
    } else if (event.kind === "update") {
      commands.push(...this.updates.commands(bytes, () => texts(this.update(event))));
    } else {
      // A commit ends its item after the messages about earlier audio are printed.
      const isEnding = event.kind === "clear" || (event.kind === "commit" && !this.isTooShort());
      if (!isEnding) answer(() => this.answerTo(event));
      else {
        this.endedUntil = this.receivedSeconds;
        answer((seconds) => (event.kind === "commit" ? this.items.commit(seconds) : this.items.clear(seconds)));
        commands.push({ kind: "finalize" });
      }
    }
    return commands;
  }

  /** @returns a refusal, or the answer if nothing changes for the session; otherwise the session answers */
  private update(event: UpdateEvent): RealtimeMessage[] {
    const { eventId, isBeta } = event;
    const current = this.configuration;
    const read = readSession(event.session, current);
    const detection = effectiveTurnDetection(current.turnDetection, current.model);
    this.speechThreshold ??= endpointingOf(detection).speechThreshold;
    const { problems, ...update } = runningUpdate(read.configuration, current, this.speechThreshold);
    const refusals = [...read.problems, ...problems];
    if (refusals.length > 0) return refusalsOf(refusals, event);
    const warnings = [...unknownWarnings(event), ...read.warnings, ...update.warnings];
    const pending = { ...update, warnings, isBeta, eventId };
    if (!pending.change) return this.updated(pending);
    this.updates.begin(pending);
    return [];
  }

  private updated({ configuration, isBeta, warnings }: RealtimeUpdate): RealtimeMessage[] {
    this.configuration = configuration;
    return [this.state("updated", warnings, isBeta)];
  }

  /** The answer of the session to the update. */
  private answered({ event }: EmittedEvent): RealtimeMessage[] {
    const { answer, update } = this.updates.answeredBy(event);
    if (!answer || !update) return [];
    if (answer.kind === "configured") return this.updated(update);
    const message = `Nothing was changed: ${answer.reason}`;
    return errorsOf([{ code: "session_has_begun", message, param: null }], update.eventId);
  }

  private get bufferedSeconds(): number {
    const total = this.receivedSeconds;
    return Math.min(this.items.bufferedSeconds(total), total - this.endedUntil);
  }

  private isTooShort(): boolean {
    return this.bufferedSeconds < LEAST_COMMIT_SECONDS;
  }

  /** Of messages that change nothing in a session. */
  private answerTo(event: ClientEvent): RealtimeMessage[] {
    if (event.kind === "refused") return errorsOf([event.problem], event.eventId);
    if (event.kind === "retrieve") return this.items.retrieve(event.itemId, event.eventId);
    if (event.kind === "clear") return [{ type: "input_audio_buffer.cleared" }];
    if (event.kind !== "commit") return [];
    const buffered = Math.max(0, this.bufferedSeconds * 1000);
    const message = `the buffer has ${buffered.toFixed(0)} ms of audio; at least ${LEAST_COMMIT_SECONDS * 1000} ms can be committed`;
    return errorsOf([{ code: "input_audio_buffer_commit_empty", message, param: null }], event.eventId);
  }

  print(emitted: EmittedEvent): string[] {
    return texts([...this.answered(emitted), ...this.items.print(emitted)]);
  }

  farewell(closing: Closing): string[] {
    const error = closingError(closing);
    return error ? texts([{ type: "error", error: { ...error, event_id: null } }]) : [];
  }

  closeFrame(closing: Closing): CloseFrame {
    return closeFrame(closing);
  }

  /** Clients of this interface cannot reconnect to a session: it ends with its connection. */
  departureOf(): Departure {
    return "finished";
  }

  /**
   * Warnings are a field of the message: some clients end at a type of message that they do not know.
   * @param isBeta  form of the message; otherwise that of the connection
   */
  private state(
    change: "created" | "updated",
    given: readonly string[],
    isBeta: boolean = this.isBeta,
  ): RealtimeMessage {
    const fresh = this.warnings.fresh(given);
    const warnings = fresh.length > 0 ? { warnings: fresh } : {};
    return isBeta
      ? {
          type: `transcription_session.${change}`,
          session: betaSessionShape(this.sessionId, this.configuration),
          ...warnings,
        }
      : { type: `session.${change}`, session: sessionShape(this.sessionId, this.configuration), ...warnings };
  }

  /** Each warning is sent once, and stands in the result of a session that begins later. */
  private fresh(warnings: readonly string[]): RealtimeMessage[] {
    return this.warnings.fresh(warnings).map((message) => ({ type: "session.warning", code: null, message }));
  }
}

type UpdateEvent = ClientEvent & { kind: "update" };

const unknownWarnings = ({ unknownFields }: ClientEvent) => unknownFields.map(noField);

const refusalsOf = (problems: readonly Problem[], event: UpdateEvent) =>
  updateRefusals(problems, unknownWarnings(event), event.eventId);

function texts(messages: readonly RealtimeMessage[]): string[] {
  return messages.map((message) =>
    JSON.stringify({ ...message, event_id: `event_${randomUUID().replaceAll("-", "")}` }),
  );
}

// A connection of a client of Deepgram's live interface. Its session is created before the upgrade: the answer has the session's id, and
// a refusal is an answer of HTTP.
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ListenMessage } from "../../../../contract/deepgram-live.ts";
import { milliseconds } from "../../../../contract/transcript/transcript.ts";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { listenId } from "../../../deepgram/ids.ts";
import type { ClientCommand, Departure, Reached } from "../../events/client-command.ts";
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
} from "../dialect.ts";
import { headerText } from "../header-text.ts";
import { PendingUpdate } from "../pending-update.ts";
import { noField } from "../unknown-names.ts";
import { accessOf } from "./access.ts";
import { type ClientMessage, parseClientMessage } from "./client-messages.ts";
import { type Configure, configureFailure, type ReadConfigure, readConfigure } from "./configure.ts";
import { type ListenOptions, listenOptions, punctuates } from "./options.ts";
import { closeFrame, refusal } from "./problem.ts";
import { ListenPrinter, type ListenSource } from "./results.ts";
import { ConnectionWarnings } from "./warnings.ts";

/** As at Deepgram: without audio, clients send KeepAlive. */
const IDLE_SECONDS = 10;
/** RFC 6455, 7.4.1: the client closed the connection, with or without a code. Others come from proxies and broken connections. */
const CLOSED_BY_CLIENT = [1000, 1005];

interface Running {
  options: ListenOptions;
  source: ListenSource;
  printer: ListenPrinter;
}

export class ListenConversation implements Conversation {
  readonly lastEvent = "recordingEnded";
  readonly openingCommands: ClientCommand[] = [];
  /** The id of the session, once it is known. */
  private requestId = randomUUID() as string;
  private running: Running | undefined;
  private readonly created: string;
  private readonly hash = createHash("sha256");
  private readonly warnings = new ConnectionWarnings();
  private readonly updates = new PendingUpdate<ReadConfigure>();

  readonly handshake = {
    headers: () => this.answerHeaders(),
    refusal: (closing: Closing) => refusal(closing, this.requestId),
    endsWithoutUpgrade: () => this.running?.options.resumes === undefined,
  };

  constructor(private readonly opening: Opening) {
    this.created = new Date(opening.at).toISOString();
  }

  // Before the upgrade

  async findSession<Found>(sessions: Sessions<Found>): Promise<Finding<Found>> {
    try {
      const owner = await sessions.authenticate(accessOf(this.opening.headers));
      checkInterface(owner, "deepgram");
      const options = listenOptions(this.opening.query, sessions.isStrict);
      const model = await sessions.modelNamed(options.model, "deepgram");
      const found = await this.open(owner, options, model, sessions);
      const info = { name: model, version: "latest", arch: model };
      const source = { requestId: this.requestId, model: { uuid: listenId(model, 5), info } };
      this.running = { options, source, printer: new ListenPrinter(options, source, this.warnings) };
      return { found };
    } catch (error) {
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  private async open<Found>(
    owner: Owner,
    options: ListenOptions,
    model: string,
    sessions: Sessions<Found>,
  ): Promise<Found> {
    const { at } = this.opening;
    const body = { ...options.body, model };
    const { resumes: id } = options;
    if (id !== undefined) {
      const { found, params } = await sessions.resume(owner, id, at);
      const stored = withoutAccountWords(params);
      const changed = Object.entries(body).filter(([name, value]) => !isDeepStrictEqual(stored[name], value));
      // A-law and mu-law always have eight bits.
      const names = changed.map(([name]) => name).filter((name) => name !== "bit_depth");
      if (names.length > 0) {
        const rule = "send the same parameters as when the session began; these fields of the session differ";
        throw errors.invalidParameters([`session_id: ${rule}: ${names.join(", ")}`]);
      }
      this.requestId = id;
      this.openingCommands.push({ kind: "answer", bytes: 0, print: (reached) => this.texts([this.resumed(reached)]) });
      return found;
    }
    const warnings = options.warnings.map(({ message }) => message);
    const client = { reconnects: options.isResumable, idle_seconds: IDLE_SECONDS };
    const { id: created, found } = await sessions.create({ owner, body, warnings, client }, at);
    this.requestId = created;
    return found;
  }

  private answerHeaders(): Record<string, string> {
    const warnings = this.running?.options.warnings ?? [];
    return {
      "dg-request-id": this.requestId,
      ...(warnings.length > 0 ? { "x-parlance-warnings": headerText(...warnings.map((one) => one.message)) } : {}),
    };
  }

  private resumed({ bytes, seconds }: Reached): ListenMessage {
    return { type: "Resumed", request_id: this.requestId, received_bytes: bytes, received_seconds: seconds };
  }

  // With the session

  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[] {
    const { running } = this;
    if (!running) return [];
    const message = parseClientMessage(frame, isBinary, running.options.channels);
    const answer = (print: (reached: Reached) => ListenMessage[]): ClientCommand => ({
      kind: "answer",
      bytes: frame.length,
      print: (reached) => this.texts(print(reached)),
    });
    this.warnOfUnknownFields(message);
    if (message.kind === "configure") {
      return this.updates.commands(frame.length, () => this.texts(this.configure(message.wanted, running)));
    }
    return this.commandsFor(message, running, answer);
  }

  private commandsFor(
    message: Exclude<ClientMessage, { kind: "configure" }>,
    { printer }: Running,
    answer: (print: (reached: Reached) => ListenMessage[]) => ClientCommand,
  ): ClientCommand[] {
    const progress = answer(({ detectedSeconds }) => printer.progress(detectedSeconds));
    switch (message.kind) {
      case "audio": {
        this.hash.update(message.bytes);
        const audio: ClientCommand = { kind: "audio", bytes: message.bytes, continues: true };
        return printer.needsProgress ? [audio, progress] : [audio];
      }
      case "keepAlive":
        return [progress];
      case "finalize": {
        if (!printer.mayFinalize()) {
          const description =
            "Too many Finalize messages wait for their results: send the next one after a result with from_finalize";
          return [answer(() => [{ type: "Error", variant: "TooManyFinalize", description, message: description }])];
        }
        // Finals before this one are not held back.
        const begin = answer(({ seconds }) => {
          printer.finalize(message.channel, seconds);
          return [];
        });
        return [begin, { kind: "finalize" }];
      }
      case "close":
        return [{ kind: "stop" }];
      case "refused": {
        const { reason: description, message: given } = message;
        return [answer(() => [{ type: "Error", variant: "SchemaError", description, message: given }])];
      }
    }
  }

  /** @returns a refusal; otherwise the session answers */
  private configure(wanted: Configure, { options }: Running): ListenMessage[] {
    const languages = options.body.language_config?.languages ?? [];
    const read = readConfigure(wanted, { features: options.features, languages });
    if ("refused" in read) return [{ ...read.refused, request_id: this.requestId }];
    this.updates.begin(read);
    this.warnings.add(...read.warnings);
    return [];
  }

  /** The answer of the session to the Configure. */
  private answered({ event }: EmittedEvent, { options, printer }: Running): ListenMessage[] {
    const { answer, update } = this.updates.answeredBy(event);
    if (!answer || !update) return [];
    const { requestId: request_id } = this;
    if (answer.kind === "configureRefused") {
      return [{ ...configureFailure("CONFIGURE_INTERNAL_ERROR", answer.reason), request_id }];
    }
    options.features = update.features;
    printer.punctuate(punctuates(update.features), answer.seconds);
    const { keyterms } = update;
    return [{ type: "ConfigureSuccess", request_id, ...(keyterms ? { keyterms } : {}) }];
  }

  private warnOfUnknownFields(message: ClientMessage): void {
    const names = "unknownFields" in message ? message.unknownFields : [];
    this.warnings.add(...names.map((parameter) => ({ parameter, type: "unknown_field", message: noField(parameter) })));
  }

  private texts(messages: readonly ListenMessage[]): string[] {
    return this.warnings.addedTo(messages).map((message) => JSON.stringify(message));
  }

  print(emitted: EmittedEvent): string[] {
    const { running } = this;
    return running ? this.texts([...this.answered(emitted, running), ...running.printer.print(emitted)]) : [];
  }

  async released(): Promise<void> {
    await this.running?.printer.released();
  }

  farewell(closing: Closing): string[] {
    const { running } = this;
    if (!running || (closing.kind !== "complete" && closing.kind !== "idle")) return [];
    const { options, printer } = running;
    const { uuid, info } = running.source.model;
    const { extra, tags, channels } = options;
    const warnings = [...options.warnings, ...this.warnings.all];
    // A client that returns after the last messages has received none that states the length.
    const stored = closing.kind === "complete" ? (closing.storedSeconds ?? 0) : 0;
    return this.texts([
      {
        type: "Metadata",
        transaction_key: "deprecated",
        request_id: this.requestId,
        sha256: this.hash.copy().digest("hex"),
        created: this.created,
        duration: Math.max(printer.seconds, milliseconds(stored)),
        channels,
        models: [uuid],
        model_info: { [uuid]: info },
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(Object.keys(extra).length > 0 ? { extra } : {}),
        ...(tags.length > 0 ? { tags } : {}),
      },
    ]);
  }

  closeFrame(closing: Closing): CloseFrame {
    return closeFrame(closing);
  }

  departureOf(closeCode: number): Departure {
    const { options } = this.running ?? {};
    const mayReconnect = options?.isResumable === true || options?.resumes !== undefined;
    return mayReconnect && !CLOSED_BY_CLIENT.includes(closeCode) ? "lost" : "finished";
  }
}

/** Parameters of a session as the client sent them: the vocabulary of its account was added when it began. */
function withoutAccountWords(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { account_words: _, ...realtime_processing } = { ...(params["realtime_processing"] as object | undefined) } as {
    account_words?: unknown;
  };
  return { ...params, realtime_processing };
}

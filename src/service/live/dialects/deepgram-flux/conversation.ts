// A connection of a client of Deepgram's Flux interface. Its session is created before the upgrade: the answer has the session's id, and a
// refusal is an answer of HTTP.
import { randomUUID } from "node:crypto";
import type { FluxBody, FluxMessage } from "../../../../contract/deepgram-flux.ts";
import { ParlanceError } from "../../../../platform/errors.ts";
import type { ClientCommand, Departure } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import { accessOf } from "../deepgram/access.ts";
import { closeFrame, refusal } from "../deepgram/problem.ts";
import {
  type CloseFrame,
  type Conversation,
  checkInterface,
  type Finding,
  type Opening,
  type Sessions,
} from "../dialect.ts";
import { headerText } from "../header-text.ts";
import { PendingUpdate } from "../pending-update.ts";
import { SentOnce } from "../sent-once.ts";
import { noField } from "../unknown-names.ts";
import { type ClientMessage, type Configure, parseClientMessage } from "./client-messages.ts";
import { configureFailure, configureSuccess, type ReadableConfigure, readConfigure } from "./configure.ts";
import { type FluxOptions, fluxOptions } from "./options.ts";
import { FluxTurns } from "./turns.ts";

/** Longest idle time; PARLANCE_LIVE_IDLE_SECONDS is shorter by default. Clients need not send audio while an agent speaks. */
const IDLE_SECONDS = 60;
const UNPARSABLE = { code: 1008, name: "UNPARSABLE_CLIENT_MESSAGE" };

const noEffect = (description: string): FluxBody => ({ type: "Warning", code: "NO_EFFECT", description });

interface Running {
  options: FluxOptions;
  turns: FluxTurns;
}

export class FluxConversation implements Conversation {
  readonly lastEvent = "recordingEnded";
  readonly openingCommands: ClientCommand[] = [];
  /** The id of the session, once it is known. */
  private requestId = randomUUID() as string;
  private running: Running | undefined;
  /** Messages that were sent. */
  private sequence = 0;
  private readonly warned = new SentOnce();
  private unparsable: string | undefined;
  private readonly updates = new PendingUpdate<ReadableConfigure>();

  readonly handshake = {
    headers: () => this.answerHeaders(),
    refusal: (closing: Closing) => refusal(closing, this.requestId),
    endsWithoutUpgrade: () => true,
  };

  constructor(private readonly opening: Opening) {}

  async findSession<Found>(sessions: Sessions<Found>): Promise<Finding<Found>> {
    try {
      const owner = await sessions.authenticate(accessOf(this.opening.headers));
      checkInterface(owner, "deepgram");
      const options = fluxOptions(this.opening.query, sessions.isStrict);
      const model = await sessions.modelNamed(options.model, "deepgram");
      const { warnings, body } = options;
      const wanted = {
        owner,
        body: { ...body, model },
        warnings,
        client: { reconnects: false, idle_seconds: IDLE_SECONDS },
      };
      const { id, found } = await sessions.create(wanted, this.opening.at);
      this.requestId = id;
      this.running = { options, turns: new FluxTurns(options) };
      // Clients send their audio after Connected.
      this.openingCommands.push(this.answer(0, () => []));
      return { found };
    } catch (error) {
      if (!(error instanceof ParlanceError)) throw error;
      return { closing: { kind: "refused", error } };
    }
  }

  private answerHeaders(): Record<string, string> {
    const warnings = this.running?.options.warnings ?? [];
    return {
      "dg-request-id": this.requestId,
      ...(warnings.length > 0 ? { "x-parlance-warnings": headerText(...warnings) } : {}),
    };
  }

  private answer(bytes: number, print: () => readonly FluxBody[]): ClientCommand {
    return { kind: "answer", bytes, print: () => this.texts(print()) };
  }

  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[] {
    const { running } = this;
    // What follows an unreadable message has no meaning: its audio could have been meant for another configuration.
    if (!running || this.unparsable !== undefined) return [];
    const message = parseClientMessage(frame, isBinary);
    const unknown = this.unknownFields(message);
    const commands = unknown.length > 0 ? [this.answer(frame.length, () => unknown)] : [];
    return [...commands, ...this.commandsFor(message, running, frame.length)];
  }

  private commandsFor(message: ClientMessage, { options, turns }: Running, bytes: number): ClientCommand[] {
    switch (message.kind) {
      case "audio": {
        return [{ kind: "audio", bytes: message.bytes, continues: true }];
      }
      case "keepAlive":
        return [this.answer(bytes, () => [])];
      case "force": {
        const begin = this.answer(bytes, () => {
          turns.force();
          return [];
        });
        return [begin, { kind: "finalize" }];
      }
      case "close":
        return [{ kind: "stop" }];
      case "configure":
        return this.updates.commands(bytes, () => this.texts(this.configure(message.wanted, options)));
      case "refused": {
        // As at Deepgram, the error is fatal. The audio so far is transcribed.
        const description = message.reason;
        this.unparsable = description;
        return [this.answer(bytes, () => [{ type: "Error", code: UNPARSABLE.name, description }]), { kind: "stop" }];
      }
    }
  }

  /** @returns what precedes the answer of the session, or a refusal */
  private configure(wanted: Configure, options: FluxOptions): FluxBody[] {
    const read = readConfigure(wanted, options);
    if ("refused" in read) return [read.refused];
    this.updates.begin(read);
    return this.warned.fresh(read.warnings).map((description) => noEffect(description));
  }

  /** The answer of the session to the Configure. */
  private answered(event: EmittedEvent["event"], { options, turns }: Running): FluxBody[] {
    const { answer, update } = this.updates.answeredBy(event);
    if (!answer) return [];
    if (answer.kind === "configureRefused" || !update) {
      return [configureFailure(`Nothing was changed: ${answer.kind === "configured" ? "" : answer.reason}`)];
    }
    Object.assign(options, update.next);
    turns.changeEager(update.next.thresholds.eager_eot_threshold, answer.seconds);
    return [configureSuccess(update.next)];
  }

  /** Each is named once. */
  private unknownFields(message: ClientMessage): FluxBody[] {
    const names = "unknownFields" in message ? message.unknownFields : [];
    return this.warned.fresh(names.map(noField)).map((description) => ({
      type: "Warning",
      code: "UNKNOWN_FIELD",
      description,
    }));
  }

  print(emitted: EmittedEvent): string[] {
    const { running } = this;
    if (!running) return this.texts([]);
    return this.texts([...this.answered(emitted.event, running), ...running.turns.print(emitted)]);
  }

  private welcome(): FluxBody[] {
    const warnings = this.running?.options.warnings ?? [];
    return [{ type: "Connected" }, ...warnings.map(noEffect)];
  }

  /** Called when the messages are sent, so that their numbers rise in that order. */
  private texts(bodies: readonly FluxBody[]): string[] {
    // Events of the session may precede the opening commands; Connected is the first message all the same.
    const welcome = this.sequence === 0 ? this.welcome() : [];
    return [...welcome, ...bodies].map(({ type, ...body }) => {
      const message = { type, request_id: this.requestId, sequence_id: this.sequence++, ...body } as FluxMessage;
      return JSON.stringify(message);
    });
  }

  farewell(): string[] {
    return [];
  }

  closeFrame(closing: Closing): CloseFrame {
    if (closing.kind === "complete" && this.unparsable !== undefined) {
      return { code: UNPARSABLE.code, reason: `${UNPARSABLE.name}: ${this.unparsable}` };
    }
    return closeFrame(closing);
  }

  departureOf(): Departure {
    return "finished";
  }
}

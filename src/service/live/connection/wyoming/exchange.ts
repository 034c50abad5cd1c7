// The events of one connection in the Wyoming protocol, in their order. Each transcription is a live session.
import type { WyomingEvent } from "../../../../contract/wyoming.ts";
import { errors } from "../../../../platform/errors.ts";
import { type Part, type ReceivedEvent, shown } from "../../dialects/wyoming/framing.ts";
import { PROGRAM } from "../../dialects/wyoming/info.ts";
import { formatIn, PcmConverter, type SampleFormat, sessionFormat } from "../../dialects/wyoming/pcm.ts";
import { errorEvent, errorOf, TranscriptPrinter, Warnings } from "../../dialects/wyoming/printer.ts";
import { DEFAULT_OPTIONS, readTranscribe, unknownFields } from "../../dialects/wyoming/transcribe.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import type { Session } from "../../session/session.ts";
import { nextConnectionNumber } from "../connection-numbers.ts";
import { TcpConnection } from "../tcp-connection.ts";
import type { WyomingSessions } from "./sessions.ts";
import type { WyomingWriter } from "./writer.ts";

/** The connection of a session: one transcription, from the first audio to the transcript. */
class Transcription extends TcpConnection {
  constructor(
    number: number,
    private readonly printer: TranscriptPrinter,
    private readonly writer: WyomingWriter,
  ) {
    super(number);
  }

  async send({ event }: EmittedEvent): Promise<void> {
    const events = this.printer.print(event);
    if (events.length > 0) await this.writer.write(events);
  }

  override async arrival(): Promise<void> {
    await this.writer.write([]);
  }
}

/** Events that a client waits for an answer of, from services of other kinds. */
const OTHER_SERVICES = [
  "synthesize",
  "synthesize-start",
  "synthesize-chunk",
  "synthesize-stop",
  "detect",
  "recognize",
  "run-pipeline",
  "run-satellite",
];
const AUDIO_FIELDS = ["rate", "width", "channels", "timestamp"];

interface Running {
  session: Session;
  connection: Transcription;
  converter: PcmConverter;
  printer: TranscriptPrinter;
  /** Resolves when the client has its transcript, or an error; never rejects. */
  done: Promise<void>;
}

export class WyomingExchange {
  private options = DEFAULT_OPTIONS;
  /** About events before the audio, for the next transcript. */
  private warnings = new Warnings();
  /** Format of the latest audio event since the last transcript. */
  private format: SampleFormat | undefined;
  private running: Running | undefined;
  private isStopped = false;
  private hasEnded = false;
  /** Whether the payload that arrives is audio. */
  private isAudio = false;

  /** @param end  called once the connection must not continue, after its last event was written */
  constructor(
    private readonly sessions: WyomingSessions,
    private readonly writer: WyomingWriter,
    private readonly end: () => void,
  ) {}

  /** Reads nothing further. */
  private finish(): void {
    this.hasEnded = true;
    this.end();
  }

  /** Whether audio is being transcribed. */
  get isBusy(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when the transcript is sent for which the client waits; at once if it waits for none. */
  async finished(): Promise<void> {
    if (this.isStopped) await this.running?.done;
  }

  /** Resolves when the session accepts more audio, or the connection has ended. */
  async ready(): Promise<void> {
    await this.running?.connection.ready;
  }

  /** The connection has ended: the session ends with the audio received so far. */
  leave(): void {
    this.hasEnded = true;
    if (!this.running) return;
    this.running.connection.resume();
    this.running.session.detach(this.running.connection, "finished");
  }

  /** @throws ParlanceError for what the client must not send, or what the service cannot do now */
  async take(part: Part): Promise<void> {
    if (this.hasEnded) return;
    if (part.kind === "event") return this.takeEvent(part.event);
    if (this.isAudio) await this.takeAudio(part.bytes);
  }

  private async takeEvent({ type, data }: ReceivedEvent): Promise<void> {
    this.isAudio = false;
    if (type === "describe") return this.writer.write([await this.sessions.info()]);
    if (type === "ping") return this.writer.write([pong(data["text"])]);
    await this.finished();
    switch (type) {
      case "transcribe":
        this.refuseWhileRunning(type);
        this.options = readTranscribe(data, this.sessions.isStrict);
        return;
      case "audio-start":
        this.refuseWhileRunning(type);
        this.checkFields(type, data, AUDIO_FIELDS);
        this.format = formatIn(data);
        return;
      case "audio-chunk":
        this.checkFields(type, data, AUDIO_FIELDS);
        this.changeFormat(formatIn(data, this.format));
        this.isAudio = true;
        return;
      case "audio-stop":
        this.checkFields(type, data, ["timestamp"]);
        return this.stop();
      case "select-program":
        return checkProgram(data["name"]);
      default:
        return this.takeOther(type);
    }
  }

  private refuseWhileRunning(type: string): void {
    if (this.running) throw errors.wyomingEventRefused(`${type} came before the audio-stop of the earlier audio`);
  }

  private checkFields(type: string, data: ReceivedEvent["data"], known: readonly string[]): void {
    const unknown = unknownFields(type, data, known);
    if (unknown.length === 0) return;
    if (this.sessions.isStrict) throw errors.invalidParameters(unknown);
    for (const warning of unknown) this.warn(warning);
  }

  /** The protocol requires that servers ignore unknown types of events. */
  private takeOther(type: string): void {
    if (OTHER_SERVICES.includes(type)) {
      throw errors.wyomingEventRefused(`${type} is for another kind of service; this one transcribes`);
    }
    this.warn(`the event ${shown(type)} has no effect`);
  }

  private warn(warning: string): void {
    if (this.running) this.running.printer.warn(warning);
    else this.warnings.add(warning);
  }

  private changeFormat(format: SampleFormat): void {
    this.format = format;
    if (this.running) this.send(this.running, this.running.converter.begin(format));
  }

  private async takeAudio(bytes: Buffer): Promise<void> {
    const running = this.running ?? (await this.begin(this.format as SampleFormat));
    // The session may have ended meanwhile.
    if (running === this.running) this.send(running, running.converter.push(bytes));
  }

  private send({ session, connection }: Running, bytes: Buffer): void {
    if (bytes.length > 0) session.receive(connection, { kind: "audio", bytes, continues: true });
  }

  private async begin(given: SampleFormat): Promise<Running> {
    const format = sessionFormat(given);
    const warnings = [...this.options.warnings, ...this.warnings.texts];
    this.warnings = new Warnings();
    const { id, session } = await this.sessions.open(this.options, format, warnings);
    const printer = new TranscriptPrinter(warnings, id);
    const connection = new Transcription(nextConnectionNumber(), printer, this.writer);
    const converter = new PcmConverter(format);
    converter.begin(given);
    const done = connection.closed
      .then((closing) => this.conclude(session, printer, closing))
      // The client has left; its session is stored.
      .catch(() => this.finish());
    const running = { session, connection, converter, printer, done };
    this.running = running;
    await session.attach(connection);
    // The client has left while the session was being opened.
    if (this.hasEnded) this.leave();
    return running;
  }

  private async stop(): Promise<void> {
    const { running } = this;
    if (running) {
      this.isStopped = true;
      const { session, connection, converter, printer } = running;
      this.send(running, converter.end());
      if (converter.incompleteBytes > 0) {
        printer.warn(`the audio ended within a sample: its last ${converter.incompleteBytes} bytes were not used`);
      }
      session.receive(connection, { kind: "stop" });
      return;
    }
    if (!this.format) throw errors.wyomingEventRefused("audio-stop came without audio-start or audio-chunk");
    const printer = new TranscriptPrinter([...this.options.warnings, ...this.warnings.texts]);
    this.reset();
    await this.writer.write(printer.end());
  }

  private async conclude(session: Session, printer: TranscriptPrinter, closing: Closing): Promise<void> {
    const failure = session.failure;
    const error = errorOf(closing) ?? failure;
    // What the client still sends belongs to no session.
    if (error) this.hasEnded = true;
    this.reset();
    const last = failure ? [] : printer.end();
    await this.writer.write(error ? [...last, errorEvent(error)] : last);
    if (error) this.finish();
  }

  /** The options stay for the next audio of the connection. */
  private reset(): void {
    this.running = undefined;
    this.format = undefined;
    this.warnings = new Warnings();
    this.isStopped = false;
  }
}

function pong(text: unknown): WyomingEvent {
  if (text !== undefined && text !== null && typeof text !== "string") {
    throw errors.wyomingEventRefused(`text of ping must be a string; it is ${shown(text)}`);
  }
  return { type: "pong", data: { text: text ?? null } };
}

function checkProgram(name: unknown): void {
  if (typeof name === "string" && name.toLowerCase() === PROGRAM.toLowerCase()) return;
  throw errors.wyomingEventRefused(`name of select-program must be ${PROGRAM}; it is ${shown(name)}`);
}

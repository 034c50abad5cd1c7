// parlance live: prints words as they are spoken, from the microphone or a pipe; by a service or on this machine.
import type { Command } from "commander";
import { LiveConnection } from "../contract/client/live-connection.ts";
import type { CreatedSession } from "../contract/live.ts";
import type { ServerMessage } from "../contract/live-messages.ts";
import { speakerName } from "../contract/transcript/transcript.ts";
import { PARLANCE } from "../platform/command-prefix.ts";
import { errors } from "../platform/errors.ts";
import { askService, openSocket } from "../platform/net/service-request.ts";
import { CheckedInput } from "./checked-input.ts";
import { languagesOption } from "./languages-option.ts";
import { findMicrophone, RATE } from "./microphone.ts";
import type { OwnService } from "./own-service.ts";
import { addTextOptions, type TextOptions, textFields } from "./request-options.ts";
import { addOptionalServiceOptions, type OptionalServiceOptions, optionalServiceOf } from "./service-options.ts";
import { CLEAR, FAINT, PLAIN, writeContent, writeControl } from "./terminal-text.ts";
import { UsageError } from "./usage-error.ts";

/** As long as uploads and jobs of the command line wait. */
export const MOST_OUTAGE_MILLISECONDS = 300_000;

/** An outage of the connection is reported once, and ends the session after five minutes. */
export class Outage {
  private timer: NodeJS.Timeout | undefined;

  /** @param onBegun  called once an outage @param onTooLong  called after five minutes without a connection */
  constructor(
    private readonly onBegun: () => void,
    private readonly onTooLong: () => void,
  ) {}

  /** The connection is lost, or an attempt to connect has failed. */
  begin(): void {
    if (this.timer) return;
    this.onBegun();
    this.timer = setTimeout(this.onTooLong, MOST_OUTAGE_MILLISECONDS);
  }

  /** The service answers again, or the session has ended. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

const RATES = [8_000, 16_000, 32_000, 44_100, 48_000];
const MOST_CHANNELS = 8;
const LONGEST_UTTERANCE_SECONDS = 15;

interface Options extends OptionalServiceOptions, TextOptions {
  rate: string;
  channels: string;
  language: string;
  endpointing: string;
  device?: string;
  json?: boolean;
  speakers?: boolean;
}

/** Captions: on a terminal the partial is written over until it is final, elsewhere finals alone, one a line. */
function caption(message: ServerMessage): void {
  if (message.type === "error") process.stderr.write(`${message.message}\n`);
  if (message.type !== "transcript") return;
  const { data } = message;
  const { speaker } = data.utterance;
  const spoken = data.utterance.text.trim();
  const text = speaker === undefined || spoken === "" ? spoken : `${speakerName(speaker, {})}: ${spoken}`;
  const { stdout } = process;
  if (data.is_final) {
    if (text === "") return;
    if (stdout.isTTY) writeControl(stdout, CLEAR);
    writeContent(stdout, `${text}\n`);
  } else if (stdout.isTTY) {
    const width = stdout.columns - 1;
    writeControl(stdout, CLEAR + FAINT);
    stdout.write(text.length > width ? `…${text.slice(-width + 1)}` : text);
    writeControl(stdout, PLAIN);
  }
}

/** Options that the kind of input makes no use of. */
function refuseUnused(isPiped: boolean, command: Command): void {
  const unused = isPiped ? ["device"] : ["rate", "channels"];
  const given = unused.find((name) => command.getOptionValueSource(name) === "cli");
  if (given === undefined) return;
  throw new UsageError(
    isPiped ? `--${given} is for the microphone; audio comes through a pipe` : `--${given} is for audio through a pipe`,
  );
}

/** @throws UsageError unless it is a number within the bounds */
function numberOption(name: string, text: string, least: number, most: number, isInteger = false): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!isInteger || Number.isInteger(value))) return value;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}; it is ${text}`);
}

async function live(options: Options, command: Command): Promise<void> {
  const rate = Number(options.rate);
  if (!RATES.includes(rate)) throw new UsageError(`--rate must be one of ${RATES.join(", ")}; it is ${options.rate}`);
  const isPiped = !process.stdin.isTTY;
  refuseUnused(isPiped, command);
  const channels = numberOption("channels", options.channels, 1, MOST_CHANNELS, true);
  const endpointing = numberOption("endpointing", options.endpointing, 0.01, 10);
  const languages = languagesOption(options.language);
  const service = optionalServiceOf(options);
  // Without a recording program, no session begins.
  const openMicrophone = isPiped ? undefined : findMicrophone(options.device);
  const input = isPiped ? new CheckedInput(process.stdin) : undefined;
  await input?.check({ rate, channels });
  const own = service ? undefined : await (await import("./own-service.ts")).startOwnService();
  const address = service ?? (own as OwnService).address;
  try {
    const body = {
      encoding: "wav/pcm",
      bit_depth: 16,
      sample_rate: isPiped ? rate : RATE,
      channels: isPiped ? channels : 1,
      endpointing,
      maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
      language_config: { languages },
      realtime_processing: textFields(options),
      ...(options.speakers ? { diarization: true } : {}),
      messages_config: { receive_partial_transcripts: true },
    };
    const created = JSON.parse((await askService(address, "POST", "/v2/live", body)).toString()) as CreatedSession;
    const microphone = openMicrophone?.();
    await new Promise<void>((resolve, reject) => {
      const outage = new Outage(
        () => process.stderr.write("There is no connection to the service; no audio is lost while connecting again.\n"),
        () => {
          reject(
            errors.liveEnded(`there was no connection to ${address.base} for five minutes; the last audio is lost`),
          );
          connection.leave();
        },
      );
      const connection = new LiveConnection(() => openSocket(address, created.url), {
        onState: (state) => {
          if (state === "broken") outage.begin();
          // A connection that opens after the last audio has the second state.
          if (state === "open" || state === "finishing") outage.end();
        },
        onMessage: (message) => {
          if (options.json) process.stdout.write(`${JSON.stringify(message)}\n`);
          else caption(message);
        },
        onEnded: (problem) => {
          outage.end();
          if (problem) reject(errors.liveEnded(problem));
          else resolve();
        },
      });
      const send = (chunk: Buffer) => connection.sendAudio(Uint8Array.from(chunk));
      const stop = () => connection.stop();
      if (input) input.deliver(send, stop);
      else microphone?.audio.on("data", send).once("end", stop);
      if (microphone) process.stderr.write("Listening. Ctrl-C ends it.\n");
      process.once("SIGINT", () => {
        microphone?.stop();
        connection.stop();
      });
    }).finally(() => microphone?.stop());
    const problem = await microphone?.ended;
    if (problem !== undefined) throw errors.microphoneFailed(problem);
  } finally {
    await own?.stop();
  }
}

export function addLive(program: Command): void {
  const command = addOptionalServiceOptions(program.command("live"))
    .description("Transcribe live speech from the microphone or a pipe")
    .option(
      "--rate <hz>",
      `sampling rate of piped audio, ${RATES.join(", ")}; 16-bit samples, with or without a WAV header`,
      "16000",
    )
    .option("--channels <n>", "number of channels of piped audio", "1")
    .option("-l, --language <codes>", "spoken language; default: detected", "")
    .option("--endpointing <seconds>", "silence that ends an utterance", "0.3")
    .option("--speakers", "name the speaker of each passage; with --json, corrections follow as speaker_revision")
    .option("--device <name>", "microphone, as the recording program names it")
    .option("--json", "print every message as a line of JSON");
  addTextOptions(command)
    .addHelpText(
      "after",
      `
Without --server, --key or a login, the command recognises the speech itself.

Examples:
  ${PARLANCE} live
  arecord -q -t raw -f S16_LE -r 16000 | ${PARLANCE} live
  ffmpeg -i https://radio.example/stream -f s16le -ac 1 -ar 16000 - | ${PARLANCE} live --json`,
    )
    .action(live);
}

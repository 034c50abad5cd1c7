// Clients of services for live captions: send audio in real time, receive the text so far.
import { once } from "node:events";
import type { RawData } from "ws";
import { WebSocket } from "ws";
import { call, type RunningService } from "../../test/service.ts";
import { SAMPLE_RATE } from "../recordings.ts";

/** What a client shows at some time. */
export interface Shown {
  /** Milliseconds, of performance.now(). */
  at: number;
  text: string;
}

/** One session. Everything is parsed after the session: the clients run on the processors of the service. */
export interface LiveClient {
  /** @param frame  16-bit samples, 16 kHz */
  send(frame: Buffer): void;
  /** Ends the audio. @returns what was shown, once the service has sent everything */
  finish(): Promise<Shown[]>;
}

/** A service that stops answering must not stop the bench. */
const MOST_WAIT_MILLISECONDS = 30_000;

/** Messages of a socket with their times. */
class Received {
  readonly messages: { at: number; data: string }[] = [];

  constructor(private readonly socket: WebSocket) {
    socket.on("message", (data: RawData) => this.messages.push({ at: performance.now(), data: data.toString() }));
  }

  /** Resolves once the service has sent a text that contains `wanted`, has closed the connection, or takes too long. */
  async wait(wanted?: string): Promise<void> {
    const { socket, messages } = this;
    const isThere = () => wanted !== undefined && messages.some(({ data }) => data.includes(wanted));
    if (isThere() || socket.readyState !== WebSocket.OPEN) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MOST_WAIT_MILLISECONDS);
      socket.once("close", resolve);
      socket.on("message", () => isThere() && resolve());
      socket.once("close", () => clearTimeout(timer));
    });
  }

  async end(last?: string): Promise<void> {
    await this.wait(last);
    this.socket.terminate();
  }
}

async function opened(address: string): Promise<{ socket: WebSocket; received: Received }> {
  const socket = new WebSocket(address);
  const received = new Received(socket);
  await once(socket, "open");
  return { socket, received };
}

export async function parlanceClient(service: RunningService, model?: string): Promise<LiveClient> {
  const body = {
    endpointing: 0.3,
    language_config: { languages: ["en"] },
    messages_config: { receive_partial_transcripts: true },
    ...(model === undefined ? {} : { model }),
  };
  const created = await call(service, "POST", "/v2/live", { body });
  if (created.status !== 201) throw new Error(`no session: ${created.text}`);
  const { socket, received } = await opened(created.json.url);
  return {
    send: (frame) => socket.send(frame),
    async finish() {
      socket.send(JSON.stringify({ type: "stop_recording" }));
      await received.end();
      let settled = "";
      return received.messages.flatMap(({ at, data }) => {
        const message = JSON.parse(data);
        if (message.type !== "transcript") return [];
        const text = `${settled} ${message.data.utterance.text}`;
        if (message.data.is_final) settled = text;
        return [{ at, text }];
      });
    },
  };
}

export async function whisperLiveKitClient(port: number): Promise<LiveClient> {
  const { socket, received } = await opened(`ws://127.0.0.1:${port}/asr`);
  return {
    send: (frame) => socket.send(frame),
    async finish() {
      // An empty frame ends the audio.
      socket.send(Buffer.alloc(0));
      await received.end('"ready_to_stop"');
      return received.messages.flatMap(({ at, data }) => {
        const { lines, buffer_transcription: unsettled = "" } = JSON.parse(data);
        if (!Array.isArray(lines)) return [];
        return [{ at, text: [...lines.map(({ text }) => text ?? ""), unsettled].join(" ") }];
      });
    },
  };
}

/** Silence after which WhisperLive has recognised what it received, milliseconds. */
const WHISPER_LIVE_DRAIN_MILLISECONDS = 10_000;

export async function whisperLiveClient(port: number, model: string): Promise<LiveClient> {
  const { socket, received } = await opened(`ws://127.0.0.1:${port}`);
  const uid = `${Math.random()}`;
  // The same options as in the client of whisper-live.
  const options = { uid, language: "en", task: "transcribe", model, use_vad: true, audio_format: "int16" };
  socket.send(JSON.stringify(options));
  await received.wait("SERVER_READY");
  return {
    send: (frame) => socket.send(frame),
    async finish() {
      // It drops what it has not recognised at END_OF_AUDIO: silence is sent until nothing more comes.
      const pause = Buffer.alloc(SAMPLE_RATE / 5);
      const seconds = MOST_WAIT_MILLISECONDS / 1000;
      for (let step = 0; step < seconds * 10; step++) {
        socket.send(pause);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const last = received.messages.at(-1)?.at ?? 0;
        if (step * 100 > WHISPER_LIVE_DRAIN_MILLISECONDS && performance.now() - last > WHISPER_LIVE_DRAIN_MILLISECONDS)
          break;
      }
      socket.send("END_OF_AUDIO");
      socket.terminate();
      // The last ten segments come each time: their starts identify them.
      const segments = new Map<string, string>();
      return received.messages.flatMap(({ at, data }) => {
        const { segments: latest } = JSON.parse(data);
        if (!Array.isArray(latest)) return [];
        for (const { start, text, completed } of latest) segments.set(completed ? start : "open", text);
        if (latest.at(-1)?.completed) segments.delete("open");
        const ordered = [...segments].sort(([left], [right]) =>
          left === "open" ? 1 : right === "open" ? -1 : Number(left) - Number(right),
        );
        return [{ at, text: ordered.map(([, text]) => text).join(" ") }];
      });
    },
  };
}

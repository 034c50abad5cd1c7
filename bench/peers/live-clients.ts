// Services for live captions as clients see them: audio in real time in, the text so far out.
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
const MOST_FINISH_MILLISECONDS = 30_000;

/** Messages of a socket with their times. */
class Received {
  readonly messages: { at: number; data: string }[] = [];

  constructor(private readonly socket: WebSocket) {
    socket.on("message", (data: RawData) => this.messages.push({ at: performance.now(), data: data.toString() }));
  }

  /** Waits until the service closes the connection or sends a text that contains `last`. */
  async end(last?: string): Promise<void> {
    const signal = AbortSignal.timeout(MOST_FINISH_MILLISECONDS);
    const isLast = () => last !== undefined && this.messages.at(-1)?.data.includes(last) === true;
    try {
      while (this.socket.readyState === WebSocket.OPEN && !isLast()) {
        await Promise.race([once(this.socket, "message", { signal }), once(this.socket, "close", { signal })]);
      }
    } catch {
      // Too late: what was shown until now counts.
    }
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
const WHISPER_LIVE_DRAIN_MILLISECONDS = 3_000;

export async function whisperLiveClient(port: number, model: string): Promise<LiveClient> {
  const { socket, received } = await opened(`ws://127.0.0.1:${port}`);
  const uid = `${Math.random()}`;
  // The options of its own client.
  const options = { uid, language: "en", task: "transcribe", model, use_vad: true, audio_format: "int16" };
  socket.send(JSON.stringify(options));
  const signal = AbortSignal.timeout(MOST_FINISH_MILLISECONDS);
  while (!received.messages.some(({ data }) => data.includes("SERVER_READY")))
    await once(socket, "message", { signal });
  return {
    send: (frame) => socket.send(frame),
    async finish() {
      // It drops what it has not recognised at END_OF_AUDIO: silence is sent until nothing more comes.
      const pause = Buffer.alloc(SAMPLE_RATE / 5);
      const seconds = MOST_FINISH_MILLISECONDS / 1000;
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

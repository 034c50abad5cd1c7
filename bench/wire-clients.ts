// Clients of the live protocols for benchmarks: how each opens its session, frames audio, and reads what is sent to it. A session has the
// language English and ends utterances by silence, so that the same audio has the same finals on each wire.

import { plivoCall, telnyxCall, twilioCall } from "../test/fixtures/media-streams.ts";
import { atRate, encodePcm, encodeUlaw } from "../test/fixtures/speech.ts";
import { TEST_KEY } from "../test/service.ts";
import { SAMPLE_RATE } from "./recordings.ts";

/** What a client does with a message: text that may change, or a final. */
export interface Heard {
  isFinal: boolean;
  text: string;
  /** Ends of the words, seconds; empty where the wire has no word times. */
  ends: number[];
}

export interface Frames {
  /** Before the audio. */
  opening: (string | Buffer)[];
  /** One each 20 ms. */
  audio: (string | Buffer)[];
  /** Behind the audio. */
  closing: (string | Buffer)[];
}

export interface Wire {
  /** Path and query. */
  address: string;
  headers: Record<string, string>;
  frames(samples: Float32Array): Frames;
  /** @returns undefined for a message without text */
  read(message: Message): Heard | undefined;
  /** Whether the client closes the connection when a message of this type has come; otherwise the service does. */
  isLast?: (message: Message) => boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: messages of every wire
export type Message = any;

const FRAMES_A_SECOND = 50;
const COMPLETED = "conversation.item.input_audio_transcription.completed";
const OPENAI_RATE = 24_000;
const TELEPHONE_RATE = 8_000;
/** Turns of the Flux interface end after this silence at the earliest. */
const FLUX_SILENCE_MILLISECONDS = 500;
const SILENCE_MILLISECONDS = 300;
const TELEPHONE_OPTIONS = {
  endpointing: String(SILENCE_MILLISECONDS / 1000),
  "language_config.languages": "en",
};

function pieces(bytes: Buffer, bytesASecond: number): Buffer[] {
  const size = bytesASecond / FRAMES_A_SECOND;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

const binary = (samples: Float32Array) => pieces(encodePcm([samples]), 2 * SAMPLE_RATE);
const json = (message: object) => JSON.stringify(message);

/** Frames of a call as a platform sends them. */
function call(messagesOf: typeof twilioCall, samples: Float32Array): Frames {
  const tracks = { inbound: encodeUlaw(atRate(samples, TELEPHONE_RATE)) };
  const all = messagesOf({ tracks, parameters: TELEPHONE_OPTIONS }) as { event: string }[];
  const first = all.findIndex(({ event }) => event === "media");
  const last = all.findLastIndex(({ event }) => event === "media");
  return {
    opening: all.slice(0, first).map(json),
    audio: all.slice(first, last + 1).map(json),
    closing: all.slice(last + 1).map(json),
  };
}

const platform = (name: string, messagesOf: typeof twilioCall): Wire => ({
  address: `/telephony/${name}`,
  headers: { authorization: `Bearer ${TEST_KEY}` },
  frames: (samples) => call(messagesOf, samples),
  read: () => undefined,
});

const ends = (words: { end: number }[], unit = 1) => words.map(({ end }) => end * unit);

const openAi: Wire = {
  address: "/v1/realtime?intent=transcription",
  headers: { authorization: `Bearer ${TEST_KEY}` },
  frames: (samples) => {
    const input = {
      format: { type: "audio/pcm", rate: OPENAI_RATE },
      transcription: { model: "gpt-4o-transcribe", language: "en" },
      turn_detection: { type: "server_vad", silence_duration_ms: SILENCE_MILLISECONDS },
    };
    const audio = pieces(encodePcm([atRate(samples, OPENAI_RATE)]), 2 * OPENAI_RATE);
    return {
      opening: [json({ type: "session.update", session: { type: "transcription", audio: { input } } })],
      audio: audio.map((bytes) => json({ type: "input_audio_buffer.append", audio: bytes.toString("base64") })),
      closing: [json({ type: "input_audio_buffer.commit" })],
    };
  },
  read: ({ type, transcript }) => (type === COMPLETED ? { isFinal: true, text: transcript, ends: [] } : undefined),
  isLast: ({ type }) => type === COMPLETED || type === "error",
};

const deepgram: Wire = {
  address: `/v1/listen?model=nova-3&language=en&encoding=linear16&sample_rate=${SAMPLE_RATE}&interim_results=true&endpointing=${SILENCE_MILLISECONDS}`,
  headers: { authorization: `Token ${TEST_KEY}` },
  frames: (samples) => ({ opening: [], audio: binary(samples), closing: [json({ type: "CloseStream" })] }),
  read: ({ type, is_final, channel }) => {
    if (type !== "Results") return undefined;
    const [{ transcript, words }] = channel.alternatives;
    return transcript === "" ? undefined : { isFinal: is_final, text: transcript, ends: ends(words) };
  },
};

const flux: Wire = {
  address: `/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=${SAMPLE_RATE}&eot_threshold=1&eot_timeout_ms=${FLUX_SILENCE_MILLISECONDS}`,
  headers: { authorization: `Token ${TEST_KEY}` },
  frames: (samples) => ({ opening: [], audio: binary(samples), closing: [json({ type: "CloseStream" })] }),
  read: ({ type, event, transcript, words }) =>
    type === "TurnInfo" && transcript !== ""
      ? { isFinal: event === "EndOfTurn", text: transcript, ends: ends(words) }
      : undefined,
};

const assemblyAi: Wire = {
  address: `/v3/ws?speech_model=universal-streaming-english&sample_rate=${SAMPLE_RATE}&min_turn_silence=${SILENCE_MILLISECONDS}&max_turn_silence=${SILENCE_MILLISECONDS}`,
  headers: { authorization: TEST_KEY },
  frames: (samples) => ({ opening: [], audio: binary(samples), closing: [json({ type: "Terminate" })] }),
  read: ({ type, end_of_turn, transcript, words }) =>
    type === "Turn" && words.length > 0
      ? { isFinal: end_of_turn, text: transcript, ends: ends(words, 1 / 1000) }
      : undefined,
};

/** By the name that `--wire` takes. */
export const WIRES: Readonly<Record<string, Wire>> = {
  "openai-realtime": openAi,
  deepgram,
  "deepgram-flux": flux,
  assemblyai: assemblyAi,
  twilio: platform("twilio", twilioCall),
  telnyx: platform("telnyx", telnyxCall),
  plivo: platform("plivo", plivoCall),
};

/** Samples as the own protocol sends them for the same format. */
export function ownFrames(samples: Float32Array, { encoding, sample_rate: rate }: Record<string, unknown>): Buffer[] {
  const converted = rate === SAMPLE_RATE ? samples : atRate(samples, Number(rate));
  if (encoding === "wav/ulaw") return pieces(encodeUlaw(converted), Number(rate));
  return pieces(encodePcm([converted]), 2 * Number(rate));
}

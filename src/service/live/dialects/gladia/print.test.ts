// The text of every event and the frame of every closing, byte for byte: clients depend on names, order and wording.
import { describe, expect, test } from "vitest";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import type { Closing, ClosingKind } from "../../events/closing.ts";
import { type EventKind, type EventOf, type LiveEvent, outlivesConnection } from "../../events/live-event.ts";
import type { CloseFrame } from "../dialect.ts";
import { gladia } from "./gladia.ts";
import { gladiaRecord } from "./record.ts";

const SESSION = "0192f0c4-0000-7000-8000-000000000001";
const AT = "2026-11-25T10:00:00.123Z";
const utterance: Utterance = {
  text: " Hello.",
  language: "en",
  start: 0.32,
  end: 0.8,
  confidence: 0.97,
  channel: 0,
  words: [{ word: " Hello.", start: 0.32, end: 0.8, confidence: 0.97 }],
};
const UTTERANCE =
  '{"text":" Hello.","language":"en","start":0.32,"end":0.8,"confidence":0.97,"channel":0,"words":[{"word":" Hello.","start":0.32,"end":0.8,"confidence":0.97}]}';
const transcription = { full_transcript: "Hello.", languages: ["en"], utterances: [utterance] };
const TRANSCRIPTION = `{"full_transcript":"Hello.","languages":["en"],"utterances":[${UTTERANCE}]}`;
const metadata = { audio_duration: 1.5, number_of_distinct_channels: 1, billing_time: 1.5, transcription_time: 2.25 };
const METADATA = '{"audio_duration":1.5,"number_of_distinct_channels":1,"billing_time":1.5,"transcription_time":2.25}';
const ofUtterance = { utteranceId: "00_00000000", utterance };
const OF_UTTERANCE = `"utterance_id":"00_00000000","utterance":${UTTERANCE}`;

type Sample<Kind extends EventKind> = [event: Omit<EventOf<Kind>, "kind">, text: string][];

/** Each event, and its message after session_id and created_at. */
const MESSAGES: { [Kind in EventKind]: Sample<Kind> } = {
  sessionCreated: [[{}, '"type":"start_session"']],
  recordingStarted: [[{}, '"type":"start_recording"']],
  recordingEnded: [[{ durationSeconds: 1.5 }, '"type":"end_recording","data":{"recording_duration":1.5}']],
  sessionEnded: [[{}, '"type":"end_session"']],
  speechStarted: [[{ channel: 1, seconds: 0.32 }, '"type":"speech_start","data":{"time":0.32,"channel":1}']],
  speechEnded: [[{ channel: 1, seconds: 0.8 }, '"type":"speech_end","data":{"time":0.8,"channel":1}']],
  turnProbablyOver: [
    [
      { channel: 0, seconds: 0.8, probability: 0.62, id: "00_00000000", utterance },
      `"type":"turn_probably_over","data":{"time":0.8,"channel":0,"probability":0.62,"id":"00_00000000","utterance":${UTTERANCE}}`,
    ],
  ],
  turnResumed: [[{ channel: 1, seconds: 1.2 }, '"type":"turn_resumed","data":{"time":1.2,"channel":1}']],
  turnOver: [
    [
      { channel: 1, seconds: 0.8, probability: 0.9, reason: "model" },
      '"type":"turn_over","data":{"time":0.8,"channel":1,"probability":0.9,"reason":"model"}',
    ],
    [
      { channel: 1, seconds: 0.8, probability: null, reason: "stop" },
      '"type":"turn_over","data":{"time":0.8,"channel":1,"probability":null,"reason":"stop"}',
    ],
  ],
  speechUnrecognized: [
    [{ channel: 1, range: [0.32, 0.96] }, '"type":"unrecognized_speech","data":{"channel":1,"time_range":[0.32,0.96]}'],
    [
      { channel: 1, range: [0.32, 0.96], isFiller: true },
      '"type":"unrecognized_speech","data":{"channel":1,"time_range":[0.32,0.96],"is_filler":true}',
    ],
  ],
  speechEnhanced: [
    [
      { channel: 0, range: [0.32, 0.8], noiseDecibels: -12.5, strength: 0.25 },
      '"type":"pre_processing","data":{"name":"audio_enhancer","channel":0,"time_range":[0.32,0.8],"noise_decibels":-12.5,"strength":0.25}',
    ],
    [
      { channel: 0, range: [0.32, 0.8], noiseDecibels: null, strength: 0 },
      '"type":"pre_processing","data":{"name":"audio_enhancer","channel":0,"time_range":[0.32,0.8],"noise_decibels":null,"strength":0}',
    ],
  ],
  languageDetected: [
    [
      { channel: 0, range: [0.32, 0.8], language: "de", probability: 0.9 },
      '"type":"pre_processing","data":{"name":"language_detection","channel":0,"time_range":[0.32,0.8],"language":"de","probability":0.9}',
    ],
  ],
  partial: [
    [
      { id: "00_00000000", utterance },
      `"type":"transcript","data":{"id":"00_00000000","is_final":false,"utterance":${UTTERANCE}}`,
    ],
  ],
  final: [
    [
      { id: "00_00000000", utterance },
      `"type":"transcript","data":{"id":"00_00000000","is_final":true,"utterance":${UTTERANCE}}`,
    ],
  ],
  speakersRevised: [
    [
      {
        channel: 0,
        merged: [{ speaker: 2, into: 0 }],
        utterances: [{ id: "00_00000000", speaker: 1, words: [{ index: 0, speaker: 1 }] }],
      },
      '"type":"speaker_revision","data":{"channel":0,"merged":[{"speaker":2,"into":0}],"utterances":[{"id":"00_00000000","speaker":1,"words":[{"index":0,"speaker":1}]}]}',
    ],
  ],
  speakersNamed: [
    [
      { speakers: [{ speaker: 0, name: "Ana", confidence: 0.9, voice_id: "0192f0c4-0000-7000-8000-000000000002" }] },
      '"type":"speaker_names","data":{"speakers":[{"speaker":0,"name":"Ana","confidence":0.9,"voice_id":"0192f0c4-0000-7000-8000-000000000002"}]}',
    ],
  ],
  chunkStored: [
    [
      { bytes: [0, 3200], seconds: [0, 0.1] },
      '"type":"audio_chunk","acknowledged":true,"error":null,"data":{"byte_range":[0,3200],"time_range":[0,0.1]}',
    ],
  ],
  chunkRefused: [
    [{ reason: "why" }, '"type":"audio_chunk","acknowledged":false,"error":{"message":"why"},"data":null'],
  ],
  stopAccepted: [
    [
      { recordedSeconds: 1.5, remainingSeconds: 0.2 },
      '"type":"stop_recording","acknowledged":true,"error":null,"data":{"recording_duration":1.5,"recording_left_to_process":0.2}',
    ],
  ],
  finalized: [[{ seconds: 1.5 }, '"type":"finalize","acknowledged":true,"error":null,"data":{"time":1.5}']],
  finalizeRefused: [
    [{ reason: "late" }, '"type":"finalize","acknowledged":false,"error":{"message":"late"},"data":null'],
  ],
  configured: [[{ seconds: 1.5 }, '"type":"configure","acknowledged":true,"error":null,"data":{"time":1.5}']],
  configureRefused: [
    [{ reason: "late" }, '"type":"configure","acknowledged":false,"error":{"message":"late"},"data":null'],
  ],
  stopRefused: [
    [
      { reason: "already stopped" },
      '"type":"stop_recording","acknowledged":false,"error":{"message":"already stopped"},"data":null',
    ],
  ],
  translation: [
    [
      { ...ofUtterance, targetLanguage: "de", translated: utterance },
      `"type":"translation","error":null,"data":{${OF_UTTERANCE},"original_language":"en","target_language":"de","translated_utterance":${UTTERANCE}}`,
    ],
    [
      { ...ofUtterance, targetLanguage: "de", translated: utterance, isPartial: true },
      `"type":"translation","error":null,"data":{${OF_UTTERANCE},"original_language":"en","target_language":"de","translated_utterance":${UTTERANCE},"is_final":false}`,
    ],
  ],
  utteranceAddon: [
    [
      { addon: "named_entity_recognition", ...ofUtterance, results: [{ entity_type: "NAME" }] },
      `"type":"named_entity_recognition","error":null,"data":{${OF_UTTERANCE},"results":[{"entity_type":"NAME"}]}`,
    ],
    [
      { addon: "sentiment_analysis", ...ofUtterance, results: [] },
      `"type":"sentiment_analysis","error":null,"data":{${OF_UTTERANCE},"results":[]}`,
    ],
  ],
  utteranceAddonFailed: [
    [{ addon: "translation", reason: "why" }, '"type":"translation","error":{"message":"why"},"data":null'],
    [
      { addon: "named_entity_recognition", reason: "why" },
      '"type":"named_entity_recognition","error":{"message":"why"},"data":null',
    ],
    [{ addon: "sentiment_analysis", reason: "" }, '"type":"sentiment_analysis","error":{"message":""},"data":null'],
  ],
  transcript: [[{ transcription }, `"type":"post_transcript","data":${TRANSCRIPTION}`]],
  sessionAddon: [
    [
      { addon: "summarization", failure: null, results: "A greeting." },
      '"type":"post_summarization","error":null,"data":{"results":"A greeting."}',
    ],
    [
      { addon: "chapterization", failure: null, results: [] },
      '"type":"post_chapterization","error":null,"data":{"results":[]}',
    ],
    [{ addon: "summarization", failure: "why" }, '"type":"post_summarization","error":{"message":"why"},"data":null'],
  ],
  result: [
    [
      { result: { metadata, transcription, summarization: { success: true } } },
      `"type":"post_final_transcript","data":{"metadata":${METADATA},"transcription":${TRANSCRIPTION},"summarization":{"success":true}}`,
    ],
  ],
  error: [
    [
      { code: "invalid_message", reason: "why" },
      '"type":"error","error":{"message":"why","code":400},"message":"why","data":{"code":"invalid_message","message":"why"}',
    ],
  ],
};

const SAMPLES = Object.entries(MESSAGES).flatMap(([kind, samples]) =>
  (samples as Sample<EventKind>).map(([fields, text]): [string, LiveEvent, string] => [
    kind,
    { kind, ...fields } as LiveEvent,
    `{"session_id":"${SESSION}","created_at":"${AT}",${text}}`,
  ]),
);
const conversation = gladia.open({ path: "/v2/live", query: new URLSearchParams(), headers: {}, at: 0 });

describe.each(SAMPLES)("%s", (_, event, text) => {
  test("is printed as its message", () => {
    expect(conversation.print({ sessionId: SESSION, at: AT, event })).toEqual([text]);
    expect(gladiaRecord.print({ sessionId: SESSION, at: AT, event })).toBe(text);
    expect(gladiaRecord.nameOf(event)).toBe(JSON.parse(text).type);
  });

  test("is printed alike after it was in a journal", () => {
    const stored = JSON.parse(JSON.stringify(event)) as LiveEvent;
    expect(conversation.print({ sessionId: SESSION, at: AT, event: stored })).toEqual([text]);
  });

  // Journals contain no acknowledgments and no partials.
  if (event.kind !== "error" && !outlivesConnection(event)) return;

  test("is read from a stored message", () => {
    expect(gladiaRecord.parse(text)).toEqual({ sessionId: SESSION, at: AT, event });
  });
});

test("a message above 1 MB is printed without its words", () => {
  const many = { ...transcription, utterances: Array.from({ length: 10_000 }, () => utterance) };
  const print = (event: LiveEvent) => JSON.parse(gladiaRecord.print({ sessionId: SESSION, at: AT, event }));
  const { data } = print({ kind: "transcript", transcription: many });
  expect(data.utterances).toHaveLength(10_000);
  expect(data.utterances[0]).toEqual({ ...utterance, words: [] });
  expect(
    print({ kind: "result", result: { metadata, transcription: many } }).data.transcription.utterances[0].words,
  ).toEqual([]);
});

test("damaged and foreign texts are no events", () => {
  for (const text of ["", "null", "{}", '{"type":"sing"}', '{"type":"transcript"}', '{"type":"toString"}'])
    expect(gladiaRecord.parse(text), text).toBeUndefined();
});

const FRAMES: Record<Exclude<ClosingKind, "refused">, CloseFrame> = {
  complete: { code: 1000, reason: "session complete" },
  idle: { code: 4408, reason: "no frame was received for too long; the session is complete" },
  restarting: { code: 1012, reason: "the service restarts; reconnect to resume" },
  replaced: { code: 4409, reason: "replaced by a newer connection" },
  taken: { code: 1012, reason: "another machine has taken over this session; reconnect to resume" },
  moved: { code: 1012, reason: "another node has taken over the session; reconnect to resume" },
  elsewhere: { code: 1012, reason: "another machine owns this session; reconnect to resume" },
  deleted: { code: 4403, reason: "the session was deleted" },
  failed: { code: 1011, reason: "internal fault" },
  interrupted: { code: 1011, reason: "internal fault; reconnect to resume" },
  unread: { code: 1013, reason: "messages are not read; reconnect to resume" },
  unreadableAudio: { code: 4400, reason: "the audio is MP3" },
  unknownToken: { code: 4401, reason: "invalid token" },
  revoked: { code: 4401, reason: "the key that made this session was revoked" },
  expired: { code: 4408, reason: "the session was never used and has expired" },
  overLimit: { code: 4429, reason: "too many live sessions of this account" },
  ended: { code: 4403, reason: "session ended" },
};

test.each(Object.entries(FRAMES))("the connection is closed, %s", (kind, frame) => {
  expect(conversation.closeFrame({ kind, reason: "the audio is MP3" } as Closing)).toEqual(frame);
});

test("only a normal close of the client ends the recording", () => {
  expect([1000, 1001, 1005, 1006, 1011].map((code) => conversation.departureOf(code))).toEqual([
    "finished",
    "lost",
    "lost",
    "lost",
    "lost",
  ]);
});

test("parameters of the address other than the token are reported as a frame that is not understood", () => {
  const open = (query: string) =>
    gladia.open({ path: "/v2/live", query: new URLSearchParams(query), headers: {}, at: 0 });
  expect(open("token=x").openingCommands).toEqual([]);
  expect(open("token=x&model=a&model=b&language=en").openingCommands).toEqual([
    {
      kind: "unreadable",
      reason: "parameters of the WebSocket address are ignored: model, language; POST /v2/live takes them",
      isChunk: false,
    },
  ]);
});

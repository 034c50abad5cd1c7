// The dialects of live sessions, and the format of their records.
import type { RecordFormat } from "../events/record-format.ts";
import { assemblyAiStreaming } from "./assemblyai/streaming.ts";
import { deepgramListen } from "./deepgram/listen.ts";
import { deepgramFlux } from "./deepgram-flux/flux.ts";
import type { Dialect } from "./dialect.ts";
import { freeswitchAudio } from "./freeswitch/audio-fork.ts";
import { gladia } from "./gladia/gladia.ts";
import { gladiaRecord } from "./gladia/record.ts";
import { jambonzSpeech } from "./jambonz/custom-speech.ts";
import { mediaStreams } from "./media-streams/media-streams.ts";
import { openAiRealtime } from "./openai/realtime.ts";
import { vapiTranscriber } from "./vapi/transcriber.ts";

export const DIALECTS: readonly Dialect[] = [
  gladia,
  openAiRealtime,
  deepgramListen,
  deepgramFlux,
  assemblyAiStreaming,
  ...mediaStreams,
  vapiTranscriber,
  jambonzSpeech,
  freeswitchAudio,
];

/** Results and callbacks of POST /v2/live contain messages of its protocol, in whichever dialect clients connect. */
export const RECORD_FORMAT: RecordFormat = gladiaRecord;

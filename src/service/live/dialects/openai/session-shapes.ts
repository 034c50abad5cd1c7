// A configuration as messages show it, and as the body of a live session.
import { MOST_PHRASE_CHARACTERS } from "../../../../contract/bounds.ts";
import type { LiveBody } from "../../../../contract/live.ts";
import type { BetaRealtimeSession, RealtimeSession } from "../../../../contract/realtime.ts";
import { aliasedModel, DIARIZING } from "../../../openai/model-names.ts";
import { vocabularyOf } from "../../../openai/prompt.ts";
import { OTHER_INTERFACE_EVENTS } from "../dialect.ts";
import type { Configuration, Encoding } from "./configuration.ts";
import { effectiveTurnDetection, endpointingOf } from "./turn-detection.ts";

const BETA_NAMES: Record<Encoding, string> = {
  "audio/pcm": "pcm16",
  "audio/pcmu": "g711_ulaw",
  "audio/pcma": "g711_alaw",
};

const ENCODINGS: Record<Encoding, NonNullable<LiveBody["encoding"]>> = {
  "audio/pcm": "wav/pcm",
  "audio/pcmu": "wav/ulaw",
  "audio/pcma": "wav/alaw",
};

export const PCM_BIT_DEPTH = 16;
/** Longest utterance that a session allows, seconds: clients treat a cut as the end of a turn. */
const LONGEST_UTTERANCE_SECONDS = 60;

function transcriptionOf({
  model,
  languages,
  prompt,
  keywords,
}: Configuration): BetaRealtimeSession["input_audio_transcription"] {
  const [language] = languages;
  return {
    model,
    ...(languages.length === 1 && language !== undefined ? { language } : {}),
    ...(languages.length > 1 ? { languages: [...languages] } : {}),
    ...(prompt === "" ? {} : { prompt }),
    ...(keywords.length > 0 ? { keywords: [...keywords] } : {}),
  };
}

const noiseReductionOf = ({ noiseReduction }: Configuration) =>
  noiseReduction === null ? null : { type: noiseReduction };
const includeOf = ({ withLogprobs }: Configuration) =>
  withLogprobs ? ["item.input_audio_transcription.logprobs"] : null;

export function sessionShape(id: string, configuration: Configuration): RealtimeSession {
  const { encoding, sampleRate, model, turnDetection } = configuration;
  return {
    type: "transcription",
    object: "realtime.transcription_session",
    id,
    audio: {
      input: {
        format: { type: encoding, ...(encoding === "audio/pcm" ? { rate: sampleRate } : {}) },
        transcription: transcriptionOf(configuration),
        noise_reduction: noiseReductionOf(configuration),
        turn_detection: effectiveTurnDetection(turnDetection, model),
      },
    },
    include: includeOf(configuration),
  };
}

export function betaSessionShape(id: string, configuration: Configuration): BetaRealtimeSession {
  const { encoding, model, turnDetection } = configuration;
  return {
    id,
    object: "realtime.transcription_session",
    input_audio_format: BETA_NAMES[encoding],
    input_audio_transcription: transcriptionOf(configuration),
    input_audio_noise_reduction: noiseReductionOf(configuration),
    turn_detection: effectiveTurnDetection(turnDetection, model),
    include: includeOf(configuration),
  };
}

/** @param model  of this service */
export function liveBodyOf(configuration: Configuration, model: string): LiveBody & { model: string } {
  const { encoding, sampleRate, languages, prompt, keywords, noiseReduction, turnDetection } = configuration;
  const detection = endpointingOf(effectiveTurnDetection(turnDetection, configuration.model));
  const { endpointing, speechThreshold, turn_detection } = detection;
  const names = vocabularyOf(prompt).filter(({ length }) => length <= MOST_PHRASE_CHARACTERS);
  const vocabulary = [...new Set([...keywords, ...names])];
  return {
    model,
    encoding: ENCODINGS[encoding],
    bit_depth: PCM_BIT_DEPTH,
    sample_rate: sampleRate,
    channels: 1,
    endpointing,
    ...(turn_detection ? { turn_detection } : {}),
    ...(DIARIZING.test(configuration.model) ? { diarization: true } : {}),
    maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
    language_config: { languages: [...languages], code_switching: false },
    pre_processing: { audio_enhancer: noiseReduction !== null, speech_threshold: speechThreshold },
    realtime_processing:
      vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {},
    // Partials change, and this interface has no message for that.
    messages_config: {
      ...OTHER_INTERFACE_EVENTS,
      receive_partial_transcripts: false,
      receive_lifecycle_events: false,
    },
  };
}

/** Fields that a running session cannot change, by their name in messages, whose values differ. Names of one model are the same value. */
export function fixedFields(before: Configuration, after: Configuration): string[] {
  const fixed = (configuration: Configuration) => {
    const { format, noise_reduction } = sessionShape("", configuration).audio.input;
    const { model } = configuration;
    // A model that distinguishes speakers is another one for clients.
    const names = [aliasedModel(model), DIARIZING.test(model)];
    return { format, noise_reduction, "transcription.model": names };
  };
  const [old, next] = [fixed(before), fixed(after)];
  const names = Object.keys(next) as (keyof typeof next)[];
  return names
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
    .map((name) => `session.audio.input.${name}`);
}

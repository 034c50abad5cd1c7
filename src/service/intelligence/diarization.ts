// diarization: utterances become the turns of speakers. Where a recording has several channels, they separate its
// speakers, unless more speakers are expected than there are channels.

import type { AddonParameters, RequestedPerson } from "../../contract/job-parameters.ts";
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import { withSpeakerNames } from "../../contract/transcript/speaker-names.ts";
import {
  milliseconds,
  type ResultMetadata,
  type SpeakerIdentity,
  type SpeakerTurn,
  type Utterance,
  type Word,
} from "../../contract/transcript/transcript.ts";
import { attribute, type Turn, type Voices } from "../../speech/speakers/attribution.ts";
import { diarize, type SpeakerCounts, type SpeakerHints, speakerHints } from "../../speech/speakers/diarize.ts";
import { type EmbeddedPiece, unpackPieces } from "../../speech/speakers/embedded-pieces.ts";
import type { SpeakerSpace } from "../../speech/speakers/embedder.ts";
import { type KnownPerson, matchVoices, type SpeakerVoice } from "../../speech/speakers/known-voices.ts";
import { diarizeLines, isSpeakerLine } from "../../speech/speakers/recorded-speakers.ts";
import { speakerVoices } from "../../speech/speakers/speaker-voices.ts";
import { extendToTurns } from "../../speech/speakers/turn-times.ts";
import { speakersAt, speakersOfTurns } from "../../speech/speakers/voice-times.ts";
import { spaceBefore } from "../../speech/text/joined-texts.ts";
import { rounded } from "../transcripts/recognized-segments.ts";
import { withSentencesEnded } from "../transcripts/sentence-pauses.ts";
import type { Addon, FoundVoices } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";

/** Diarization parameters of a recording or live session. */
export type DiarizationParameters = Pick<
  AddonParameters,
  "diarization" | "diarization_config" | "known_voices" | "sealed_voices"
>;

/** @param channels  number of distinct channels of the recording */
export function channelsSeparate(params: DiarizationParameters, channels: number): boolean {
  return channels > 1 && speakerHints(params.diarization_config ?? {}).minimum <= channels;
}

/** Number of channels with words. A channel of noise does not separate the speakers of another channel. */
export const channelsWithWords = (parts: readonly { channel: number; words: readonly unknown[] }[]): number =>
  new Set(parts.filter(({ words }) => words.length > 0).map(({ channel }) => channel)).size;

/** People whose voices are in the request; used for this job only. */
const requestedPeople = ({ known_voices }: DiarizationParameters): readonly RequestedPerson[] => known_voices ?? [];

/** Whether the result has names of speakers. */
export function identifiesSpeakers(params: DiarizationParameters): boolean {
  if (params.diarization !== true) return false;
  const namesPeople = params.sealed_voices !== undefined || requestedPeople(params).length > 0;
  return params.diarization_config?.identify_speakers === true || namesPeople;
}

const knownOfRequest = (params: AddonParameters): KnownPerson[] =>
  requestedPeople(params).map(({ name, print, seconds }) => ({
    id: name,
    name,
    prints: [Float32Array.from(print)],
    seconds: [seconds],
  }));

/** Names of people of the request; the others of a library are joined when the result is read. */
function namesOfRequest(voices: readonly SpeakerVoice[], params: AddonParameters): SpeakerIdentity[] {
  return matchVoices(voices, knownOfRequest(params)).map(({ speaker, name, confidence }) => ({
    speaker,
    name,
    confidence,
    voice_id: null,
  }));
}

/** Speakers of all channels; `turns` only if they are determined independently of the words. */
interface Speakers {
  voices: Voices[];
  /** Numbers of speakers are below this. */
  count: number;
  turns?: SpeakerTurn[];
}

/** One speaker for each channel. @param first  number of the first one */
const byChannel = (channels: number[], first = 0): Voices[] =>
  channels.map((channel, index) => ({ channel, speakerOf: () => first + index, otherwise: first + index }));

function byEncoder(pieces: EmbeddedPiece[], hints: SpeakerHints): Speakers {
  let known = 0;
  const channels = [...new Set(pieces.map(({ channel }) => channel))];
  const voices = channels.map((channel) => {
    const found = pieces.filter((piece) => piece.channel === channel);
    const space = found[0]?.space as SpeakerSpace;
    const embeddings = unpackPieces(found);
    // The number of speakers in a single channel is unknown.
    const labels = diarize(embeddings, space, channels.length > 1 ? { ...hints, minimum: 1 } : hints);
    const speakers = labels.map((label) => known + label);
    const otherwise = known;
    known = Math.max(known, ...new Set(speakers)) + 1;
    return { channel, speakerOf: speakersAt(embeddings.times, speakers), otherwise };
  });
  return { voices, count: known };
}

/** Default maximum of speakers in a channel. */
const MOST_SPEAKERS = 30;

/**
 * Bounds of the clustering. `number_of_speakers` is only a maximum: people who just say "mm" form no cluster, and to reach the number, one
 * voice would be split.
 */
export function speakerBounds({ number_of_speakers: number, min_speakers = 0, max_speakers = 0 }: SpeakerCounts) {
  const minimum = number === undefined ? Math.max(1, min_speakers) : 1;
  const maximum = number ?? (max_speakers > 0 ? max_speakers : MOST_SPEAKERS);
  return { minimum, maximum: Math.max(minimum, maximum) };
}

function byNetworks(
  { lines, recordingTime, people = [] }: FoundVoices & { method: "networks" },
  counts: SpeakerCounts,
): Speakers {
  let known = 0;
  const turns: SpeakerTurn[] = [];
  const bounds = speakerBounds(counts);
  const channels = [...new Set(lines.filter(isSpeakerLine).map(({ channel }) => channel))];
  const voices = channels.map((channel) => {
    const found = diarizeLines(lines, channel, channels.length > 1 ? { ...bounds, minimum: 1 } : bounds, people);
    const own = found.map(({ start, end, speaker }) => ({
      channel,
      speaker: known + speaker,
      start: recordingTime(start),
      end: recordingTime(end),
    }));
    for (const turn of own) turns.push(turn);
    // A channel whose words have no voice, such as a single short one, still has a speaker of its own.
    const otherwise = own[0]?.speaker ?? known;
    known += 1 + own.reduce((most, { speaker }) => Math.max(most, speaker - known), 0);
    return { channel, speakerOf: speakersOfTurns(own), otherwise };
  });
  return { voices, turns, count: known };
}

/**
 * Turns with the speakers' numbers in the transcript; speakers without words follow those with words.
 * @param audioSeconds  end of the recording, which the last window of the networks may exceed
 */
function numbered(
  turns: readonly SpeakerTurn[],
  numbers: ReadonlyMap<number, number>,
  audioSeconds: number,
): SpeakerTurn[] {
  const all = new Map(numbers);
  const within = turns
    .filter(({ start }) => start < audioSeconds)
    .map((turn) => ({ ...turn, end: Math.min(turn.end, audioSeconds) }));
  const inOrder = within.sort((left, right) => left.start - right.start || left.channel - right.channel);
  return inOrder.map(({ channel, speaker, start, end }) => {
    const number = all.get(speaker) ?? all.size;
    all.set(speaker, number);
    return { channel, speaker: number, start: milliseconds(start), end: milliseconds(end) };
  });
}

/** The words, of which the first begins with a space, as others do unless they are written with the word before them. */
export const withLeadingSpace = (words: readonly Word[], space = " "): Word[] =>
  words.map((word, index) => (index > 0 ? word : { ...word, word: space + word.word.trimStart() }));

function spokenBy({ speaker, channel, language, words }: Turn<Word>): Utterance {
  const spaced = words.map(({ speaker: _, ...word }, index) =>
    index > 0 ? word : { ...word, word: word.word.trimStart() },
  );
  return {
    text: spaced.map(({ word }) => word).join(""),
    language,
    start: spaced[0]?.start ?? 0,
    end: Math.max(...spaced.map(({ end }) => end)),
    confidence: rounded(meanConfidence(words)),
    channel,
    speaker,
    words: spaced,
  };
}

export const diarizationAddon: Addon = {
  name: "diarization",
  changesTranscript: true,
  hasListResults: true,
  async run({ transcription, params, voices, pauses = [], onSpeakerVoices, audioSeconds = Number.POSITIVE_INFINITY }) {
    if (voices === null) {
      throw new AddonFailed("The speakers could not be distinguished; the transcript is complete without speakers");
    }
    const { utterances } = transcription;
    const channels = [...new Set(utterances.map(({ channel }) => channel))];
    const byNetwork = voices?.method === "networks" ? voices : undefined;
    const separating = byNetwork?.areChannels ? undefined : voices;
    const counts = params.diarization_config ?? {};
    const {
      voices: found,
      turns,
      count,
    } = separating?.method === "networks"
      ? byNetworks({ ...separating, people: [...(separating.people ?? []), ...knownOfRequest(params)] }, counts)
      : separating
        ? byEncoder(separating.pieces, speakerHints(counts))
        : { voices: [], turns: undefined, count: 0 };
    const missing = channels.filter((channel) => !found.some((one) => one.channel === channel));
    const all = [...found, ...byChannel(missing, count)];
    // Turns may join utterances.
    const joinable = utterances.map((utterance, at) => {
      const previous = utterances[at - 1];
      const space = previous ? spaceBefore(previous, utterance) : " ";
      return { ...utterance, words: withLeadingSpace(utterance.words, space) };
    });
    const { turns: spoken, numbers } = attribute(joinable, all);
    transcription.utterances = spoken.map(spokenBy);
    if (turns) {
      transcription.speaker_turns = numbered(turns, numbers, audioSeconds);
      transcription.utterances = extendToTurns(transcription.utterances, transcription.speaker_turns);
    }
    transcription.utterances = withSentencesEnded(transcription.utterances, pauses);
    if (identifiesSpeakers(params)) {
      const spans = (transcription.speaker_turns ?? transcription.utterances).map(({ speaker = -1, ...span }) => ({
        ...span,
        speaker,
      }));
      const found = byNetwork ? speakerVoices(byNetwork.lines, spans, byNetwork.recordingTime) : [];
      onSpeakerVoices?.(found);
      const { utterances, speakers } = withSpeakerNames(transcription, namesOfRequest(found, params));
      transcription.utterances = utterances;
      if (speakers) transcription.speakers = speakers;
    }
    const method: ResultMetadata["diarization"] =
      separating?.method === "networks"
        ? { method: "networks", model: separating.model }
        : { method: separating ? "encoder" : "channels" };
    return method;
  },
  place(result, _, answer) {
    if (!answer.success) {
      result["diarization"] = answer;
      return;
    }
    const found = answer.results as NonNullable<ResultMetadata["diarization"]>;
    // A single channel without words has no speakers to separate.
    const { number_of_distinct_channels: channels } = result.metadata;
    if (found.method !== "channels" || channels > 1) result.metadata.diarization = found;
  },
};

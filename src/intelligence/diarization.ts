// diarization: utterances become the turns of speakers. Where a recording has several channels, they separate its
// speakers, unless more speakers are expected than there are channels.

import { attribute, type Turn, type Voices } from "../speakers/attribution.ts";
import { diarize, type SpeakerHints, speakerHints } from "../speakers/diarize.ts";
import { type EmbeddedPiece, unpackPieces } from "../speakers/embedded-pieces.ts";
import type { SpeakerSpace } from "../speakers/embedder.ts";
import type { Utterance, Word } from "../transcript/transcript.ts";
import { rounded } from "../transcripts/recognized-segments.ts";
import { type Addon, AddonFailed } from "./addon.ts";

/** @param channels  how many channels with different sound the recording has */
export function channelsSeparate(params: Record<string, unknown>, channels: number): boolean {
  return channels > 1 && speakerHints(params["diarization_config"] ?? {}).minimum <= channels;
}

const byChannel = (channels: number[]): Voices[] =>
  channels.map((channel) => ({ channel, times: [0], speakers: [channel] }));

function byVoice(pieces: EmbeddedPiece[], hints: SpeakerHints): Voices[] {
  let known = 0;
  const channels = [...new Set(pieces.map(({ channel }) => channel))];
  return channels.map((channel) => {
    const heard = pieces.filter((piece) => piece.channel === channel);
    const space = heard[0]?.space as SpeakerSpace;
    const embeddings = unpackPieces(heard);
    // How many of the expected speakers each channel has is not known.
    const labels = diarize(embeddings, space, channels.length > 1 ? { ...hints, minimum: 1 } : hints);
    const speakers = labels.map((label) => known + label);
    known = Math.max(known, ...new Set(speakers)) + 1;
    return { channel, times: embeddings.times, speakers };
  });
}

function spokenBy({ speaker, channel, language, words }: Turn<Word>): Utterance {
  const spaced = words.map((word, index) => ({ ...word, word: `${index > 0 ? " " : ""}${word.word.trimStart()}` }));
  return {
    text: spaced.map(({ word }) => word).join(""),
    language,
    start: spaced[0]?.start ?? 0,
    end: Math.max(...spaced.map(({ end }) => end)),
    confidence: rounded(words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length),
    channel,
    speaker,
    words: spaced,
  };
}

export const diarizationAddon: Addon = {
  name: "diarization",
  changesTranscript: true,
  answersList: true,
  async run({ transcription, params, voices }) {
    if (voices === null) {
      throw new AddonFailed("The voices could not be told apart; the transcript is complete without speakers");
    }
    const { utterances } = transcription;
    const heard = voices
      ? byVoice(voices, speakerHints(params["diarization_config"] ?? {}))
      : byChannel([...new Set(utterances.map(({ channel }) => channel))]);
    transcription.utterances = attribute(utterances, heard).map(spokenBy);
  },
  place(result, _, answer) {
    if (!answer.success) result["diarization"] = answer;
  },
};

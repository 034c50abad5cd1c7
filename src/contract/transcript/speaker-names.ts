// Speakers of a transcript, and their names. Stored results have no names of the library: they are joined when a result is read, so that
// deleting a voice removes its name from every result. Pure and independent of Node.
import type { SpeakerIdentity, Transcription } from "./transcript.ts";

type Named = Pick<Transcription, "utterances" | "speakers" | "speaker_turns">;

/** Every speaker of a transcript, in order of the numbers; unknown where `known` has none. */
function identitiesOf(
  { utterances, speaker_turns = [], speakers = [] }: Named,
  known: readonly SpeakerIdentity[],
): SpeakerIdentity[] {
  const all = [...utterances, ...speaker_turns].flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]));
  const numbers = [...new Set([...all, ...speakers.map(({ speaker }) => speaker)])].sort((left, right) => left - right);
  return numbers.map(
    (speaker) =>
      known.find((one) => one.speaker === speaker) ?? { speaker, name: null, confidence: null, voice_id: null },
  );
}

/** @returns the transcription with the list of its speakers, and with a name in each utterance of a known one */
export function withSpeakerNames<T extends Named>(transcription: T, known: readonly SpeakerIdentity[]): T {
  const speakers = identitiesOf(transcription, known);
  const byNumber = new Map(speakers.map((one) => [one.speaker, one]));
  const utterances = transcription.utterances.map(({ speaker_name: _, speaker_confidence: __, ...utterance }) => {
    const { name = null, confidence = null } = byNumber.get(utterance.speaker ?? -1) ?? {};
    if (name === null) return utterance;
    return { ...utterance, speaker_name: name, ...(confidence === null ? {} : { speaker_confidence: confidence }) };
  });
  return { ...transcription, utterances, speakers };
}

/** Numbers of the speakers, in order. */
export function speakersOf({ utterances }: Pick<Transcription, "utterances">): number[] {
  const speakers = new Set(utterances.map(({ speaker }) => speaker).filter((speaker) => speaker !== undefined));
  return [...speakers].sort((left, right) => left - right);
}

/** The lowest number above all of `taken`. */
export const nextSpeaker = (taken: Iterable<number>): number => Math.max(-1, ...taken) + 1;

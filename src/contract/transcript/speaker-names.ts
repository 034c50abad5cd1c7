// Speakers of a transcript, and their names. Stored results have no names of the library: they are joined when a result is read, so that
// deleting a voice removes its name from every result. Pure and independent of Node.
import type { SpeakerIdentity, Transcription } from "./transcript.ts";

type Named = Pick<Transcription, "utterances" | "speakers" | "speaker_turns">;

const unknown = (speaker: number): SpeakerIdentity => ({ speaker, name: null, confidence: null, voice_id: null });

const spokenNumbers = ({ utterances, speaker_turns = [] }: Named) =>
  [...utterances, ...speaker_turns].flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker]));

const inOrder = (numbers: Iterable<number>) => [...new Set(numbers)].sort((left, right) => left - right);

/** Every speaker of a transcript, in order of the numbers; unknown where `known` has none. */
function identitiesOf(transcription: Named, known: readonly SpeakerIdentity[]): SpeakerIdentity[] {
  const { speakers = [] } = transcription;
  const numbers = inOrder([...spokenNumbers(transcription), ...speakers.map(({ speaker }) => speaker)]);
  return numbers.map((speaker) => known.find((one) => one.speaker === speaker) ?? unknown(speaker));
}

/**
 * @param names  after the corrections, by number
 * @returns the speakers after corrections: without those who say nothing any more, and with new ones; people stated the names that differ
 */
export function correctedSpeakers(
  recognised: Named,
  now: Named,
  names: Readonly<Record<string, string>>,
): SpeakerIdentity[] {
  const { speakers = [] } = recognised;
  const [before, after] = [new Set(spokenNumbers(recognised)), new Set(spokenNumbers(now))];
  const kept = speakers.map(({ speaker }) => speaker).filter((one) => after.has(one) || !before.has(one));
  return inOrder([...kept, ...after]).map((speaker) => {
    const known = speakers.find((one) => one.speaker === speaker) ?? unknown(speaker);
    const name = names[speaker] ?? null;
    if (name === known.name) return known;
    return name === null ? unknown(speaker) : { speaker, name, confidence: 1, voice_id: null };
  });
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
  return inOrder(spokenNumbers({ utterances }));
}

/** The lowest number above all of `taken`. */
export const nextSpeaker = (taken: Iterable<number>): number => Math.max(-1, ...taken) + 1;

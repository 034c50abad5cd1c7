// Attributes words to speakers, and divides them into turns where the speaker changes.
import type { SpeakerOf } from "./voice-times.ts";

export interface TimedWord {
  /** Seconds. */
  start: number;
  end: number;
}

/** Recognised words of one channel, in time order. */
export interface WordSegment<W extends TimedWord> {
  channel: number;
  language: string;
  words: W[];
}

/** Words of one speaker up to a speaker change or a long pause. */
export interface Turn<W extends TimedWord> extends WordSegment<W> {
  /** Numbered from 0 by first appearance. */
  speaker: number;
}

/** Speakers of a channel over time. */
export interface Voices {
  channel: number;
  /** Numbers of speakers are unique over all channels. */
  speakerOf: SpeakerOf;
  /** Speaker of words for which `speakerOf` has none, before the first word for which it has one. */
  otherwise: number;
}

export interface Attribution<W extends TimedWord> {
  /** In time order; every word is in exactly one. */
  turns: Turn<W>[];
  /** Number of each speaker with words, by the number that `voices` gave. */
  numbers: ReadonlyMap<number, number>;
}

/** Longest pause within a turn. */
const LONGEST_PAUSE_SECONDS = 2;
/** A turn is not extended beyond this with words of another segment. */
const LONGEST_TURN_SECONDS = 30;

function continues<W extends TimedWord>(
  turn: Turn<W> | undefined,
  next: Turn<W>,
  isNewSegment: boolean,
): turn is Turn<W> {
  const last = turn?.words.at(-1);
  const word = next.words[0];
  if (!turn || !last || !word || turn.speaker !== next.speaker || turn.language !== next.language) return false;
  if (word.start - last.end > LONGEST_PAUSE_SECONDS) return false;
  return !isNewSegment || word.end - (turn.words[0] as W).start <= LONGEST_TURN_SECONDS;
}

function turnsOfChannel<W extends TimedWord>(segments: WordSegment<W>[], voices: Voices): Turn<W>[] {
  const turns: Turn<W>[] = [];
  for (const { channel, language, words } of segments) {
    for (const [index, word] of words.entries()) {
      const speaker = voices.speakerOf(word.start, word.end) ?? turns.at(-1)?.speaker ?? voices.otherwise;
      const next = { channel, language, speaker, words: [word] };
      const last = turns.at(-1);
      if (continues(last, next, index === 0)) last.words.push(word);
      else turns.push(next);
    }
  }
  return turns;
}

const startOf = <W extends TimedWord>({ words }: WordSegment<W>) => words[0]?.start ?? 0;

/**
 * @param stretches  of all channels, in any order
 * @param voices     of every channel
 */
export function attribute<W extends TimedWord>(
  stretches: readonly WordSegment<W>[],
  voices: readonly Voices[],
): Attribution<W> {
  const inOrder = [...stretches].sort((left, right) => startOf(left) - startOf(right));
  const turns = voices
    .flatMap((one) =>
      turnsOfChannel(
        inOrder.filter(({ channel }) => channel === one.channel),
        one,
      ),
    )
    .sort((left, right) => startOf(left) - startOf(right) || left.channel - right.channel);
  const numbers = new Map<number, number>();
  for (const { speaker } of turns) if (!numbers.has(speaker)) numbers.set(speaker, numbers.size);
  return { turns: turns.map((turn) => ({ ...turn, speaker: numbers.get(turn.speaker) ?? 0 })), numbers };
}

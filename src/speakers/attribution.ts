// Attributes words to speakers: each word to the speaker of the voice in its middle.

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
  /** Seconds, ascending. */
  times: ArrayLike<number>;
  /** The speaker at each time; numbers are unique over all channels. */
  speakers: ArrayLike<number>;
}

/** A turn continues after a pause of up to this … */
const LONGEST_PAUSE_SECONDS = 2;
/** … unless it is already longer than this. */
const LONGEST_TURN_SECONDS = 30;

/** Index of the time nearest to `seconds`; -1 if there is none. */
function nearest(times: ArrayLike<number>, seconds: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < seconds) low = middle + 1;
    else high = middle;
  }
  const isEarlierNearer = low > 0 && seconds - (times[low - 1] as number) < (times[low] as number) - seconds;
  return times.length === 0 ? -1 : isEarlierNearer ? low - 1 : low;
}

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
      const at = nearest(voices.times, (word.start + word.end) / 2);
      const speaker = voices.speakers[at] ?? turns.at(-1)?.speaker ?? 0;
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
 * @returns turns in time order; every word is in exactly one
 */
export function attribute<W extends TimedWord>(
  stretches: readonly WordSegment<W>[],
  voices: readonly Voices[],
): Turn<W>[] {
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
  return turns.map((turn) => ({ ...turn, speaker: numbers.get(turn.speaker) ?? 0 }));
}

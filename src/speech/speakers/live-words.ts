// Assigns speakers to the words of growing audio: first when a word is final, and again when the diarizer has processed more audio. A number
// always means the same speaker. Words whose speaker changes are reported. Pure.
import type { Joined } from "./live-voices.ts";
import type { SpeakerTurn } from "./network-diarization.ts";
import { speakersOfTurns } from "./voice-times.ts";

export interface LiveWord {
  /** Distinguishes words. */
  id: string;
  /** Seconds. */
  start: number;
  end: number;
}

/** A word whose speaker changed; `before` is undefined for a word that had none. */
export interface RevisedWord {
  id: string;
  before: number | undefined;
  speaker: number;
}

/** Two numbers of one speaker: all words of `from` belong to `into`. */
export interface SameSpeaker {
  from: number;
  into: number;
}

export interface LiveRevisions {
  words: RevisedWord[];
  same: SameSpeaker[];
}

/** A JSON value from which another process continues. */
export interface LiveWordsState {
  /** Speaker of each cluster. */
  numbers: [cluster: number, speaker: number][];
  /** Words that may still change. */
  pending: PendingWord[];
  /** Speaker of the last word that has one. */
  last?: number;
}

interface PendingWord extends LiveWord {
  speaker?: number;
  /** Number of checks so far. */
  compared: number;
}

/** Seconds of processed audio after a word at which its speaker is checked again. After the last one, no window contains the word. */
const COMPARED_SECONDS = [2, 10] as const;
/** Most words that are checked again; older ones keep their speakers. */
const MOST_PENDING = 1_000;
/** Placeholder for words before the first cluster, which then gets their number. */
export const NO_CLUSTER = -1;

export class LiveWords {
  private readonly numbers: Map<number, number>;
  private pending: PendingWord[];
  private last: number | undefined;

  /** @param nextNumber  returns a number that no other speaker of the session has, in ascending order */
  constructor(
    private readonly nextNumber: () => number,
    state?: LiveWordsState,
  ) {
    this.numbers = new Map(state?.numbers);
    this.pending = state?.pending.map((word) => ({ ...word })) ?? [];
    this.last = state?.last;
  }

  get state(): LiveWordsState {
    const { last } = this;
    const pending = this.pending.map((word) => ({ ...word }));
    return { numbers: [...this.numbers], pending, ...(last === undefined ? {} : { last }) };
  }

  /**
   * @param turns  of the diarizer
   * @param isGuessing  whether words far from any turn get the speaker of the word before
   * @returns the speakers of new words, in their order; undefined where the audio is not processed yet or has no speaker
   */
  assign(words: readonly LiveWord[], turns: readonly SpeakerTurn[], isGuessing = false): (number | undefined)[] {
    const speakerOf = speakersOfTurns(turns);
    const added = words.map(({ id, start, end }) => {
      const found = this.numberOf(speakerOf(start, end));
      const speaker = found ?? (isGuessing ? (this.last ?? this.numberOf(NO_CLUSTER)) : undefined);
      this.last = speaker ?? this.last;
      return { id, start, end, compared: 0, ...(speaker === undefined ? {} : { speaker }) };
    });
    this.pending = [...this.pending, ...added].slice(-MOST_PENDING);
    return added.map(({ speaker }) => speaker);
  }

  /** Speakers of words that are not final; undefined for a speaker without a number. Changes nothing. */
  expected(words: readonly Omit<LiveWord, "id">[], turns: readonly SpeakerTurn[]): (number | undefined)[] {
    const speakerOf = speakersOfTurns(turns);
    return words.map(({ start, end }) => {
      const cluster = speakerOf(start, end);
      return cluster === undefined ? undefined : this.numbers.get(cluster);
    });
  }

  /** The speaker of a cluster; undefined if no word has it. */
  knownNumber(cluster: number): number | undefined {
    return this.numbers.get(cluster);
  }

  /** Compares words with the turns after a step of the diarizer. @param endSeconds  of the step's window */
  revise(turns: readonly SpeakerTurn[], endSeconds: number, joined: readonly Joined[]): LiveRevisions {
    const revisions: LiveRevisions = { words: [], same: joined.flatMap((one) => this.join(one)) };
    const speakerOf = speakersOfTurns(turns);
    for (const word of this.pending) {
      const due = COMPARED_SECONDS.filter((seconds) => word.end + seconds <= endSeconds).length;
      if (due <= word.compared) continue;
      word.compared = due;
      const speaker = this.numberOf(speakerOf(word.start, word.end));
      if (speaker === undefined || speaker === word.speaker) continue;
      revisions.words.push({ id: word.id, before: word.speaker, speaker });
      word.speaker = speaker;
    }
    this.pending = this.pending.filter(({ compared }) => compared < COMPARED_SECONDS.length);
    return revisions;
  }

  private numberOf(cluster: number | undefined): number | undefined {
    if (cluster === undefined) return undefined;
    const number = this.numbers.get(cluster) ?? this.numbers.get(NO_CLUSTER) ?? this.nextNumber();
    if (cluster !== NO_CLUSTER) this.numbers.delete(NO_CLUSTER);
    this.numbers.set(cluster, number);
    return number;
  }

  private join({ from, into }: Joined): SameSpeaker[] {
    const dropped = this.numbers.get(from);
    this.numbers.delete(from);
    if (dropped === undefined) return [];
    const kept = this.numbers.get(into);
    if (kept === undefined) {
      this.numbers.set(into, dropped);
      return [];
    }
    for (const word of this.pending) if (word.speaker === dropped) word.speaker = kept;
    if (this.last === dropped) this.last = kept;
    return [{ from: dropped, into: kept }];
  }
}

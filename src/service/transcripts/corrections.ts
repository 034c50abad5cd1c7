// Applies corrections of a transcript, which are stored beside the recognised transcript and never change it. Pure and
// independent of Node, as the console uses the same code.

import type { Correction } from "../../contract/transcript/correction.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { correctedTurns } from "./corrected-turns.ts";
import { type SpokenPart, SpokenUtterance, type TimeRange } from "./spoken-utterance.ts";

export interface CorrectedTranscription extends Transcription {
  /** Names of speakers, by number. */
  speaker_names: Record<string, string>;
  /** Indexes of the utterances that differ from the recognised ones. */
  corrected_utterances: number[];
  /** For each utterance, the index of the recognised utterance from which it was made. */
  source_utterances: number[];
  /** Indexes of the utterances at which a person began a paragraph. */
  paragraph_starts: number[];
}

type Change = Pick<Correction, "merges" | "splits" | "utterances" | "joins" | "breaks" | "speakers" | "undone_at">;

interface CorrectedPart extends SpokenPart {
  source: number;
  isChanged: boolean;
}

function rangeOf({ start, end }: TimeRange): TimeRange | undefined {
  return start === undefined && end === undefined ? undefined : { start, end };
}

/** Utterances with their index; those that are joined are the same one. */
class SpokenUtterances {
  readonly all: readonly SpokenUtterance[];
  private readonly byIndex: SpokenUtterance[];

  constructor(private readonly recognised: readonly Utterance[]) {
    this.all = recognised.map((utterance) => new SpokenUtterance(utterance));
    this.byIndex = [...this.all];
  }

  at(index: number): SpokenUtterance | undefined {
    return this.byIndex[index];
  }

  /** The words that a change without times names; undefined for all of the utterance. */
  rangeAt(index: number): TimeRange | undefined {
    return this.isJoined(index) ? this.recognised[index] : undefined;
  }

  /** Whether it is a part of another one. */
  isJoined(index: number): boolean {
    return this.byIndex[index] !== this.all[index];
  }

  /** Whether an utterance of their channel starts between two others. */
  private isBetween({ source: one }: SpokenUtterance, { source: other }: SpokenUtterance): boolean {
    return this.all.some(
      ({ source: { channel, start } }, index) =>
        !this.isJoined(index) && channel === one.channel && start > one.start && start < other.start,
    );
  }

  join(index: number, into: number): void {
    const [other, one] = [this.byIndex[index], this.byIndex[into]];
    if (!other || !one || other === one || !one.isFollowedBy(other) || this.isBetween(one, other)) return;
    one.join(other);
    for (const [at, spoken] of this.byIndex.entries()) if (spoken === other) this.byIndex[at] = one;
  }
}

/** @param names  of speakers, which the corrections change */
function apply(corrections: readonly Change[], utterancesOf: SpokenUtterances, names: Map<number, string>): void {
  const spoken = utterancesOf.all;
  for (const { merges = [], splits = [], utterances = [], joins = [], breaks = [], speakers = [] } of corrections) {
    for (const { speaker, into } of merges) {
      for (const utterance of spoken) utterance.merge(speaker, into);
      names.delete(speaker);
    }
    for (const { speaker, start, into } of splits) {
      for (const utterance of spoken) utterance.split(speaker, start, into);
    }
    for (const { index, text, speaker, checked, ...times } of utterances) {
      const range = rangeOf(times) ?? utterancesOf.rangeAt(index);
      const one = utterancesOf.at(index);
      if (checked) one?.check(range ?? {});
      if (text !== undefined) one?.setText(text.trim(), range);
      if (speaker !== undefined) one?.setSpeaker(speaker, range);
    }
    for (const { index, into } of joins) utterancesOf.join(index, into);
    for (const { index, start, removed } of breaks) {
      if (removed) utterancesOf.at(index)?.removeBreak(start);
      else utterancesOf.at(index)?.break(start);
    }
    for (const { speaker, name } of speakers) names.set(speaker, name.trim());
  }
}

/**
 * Corrections are applied in order; undone ones are ignored. @param corrections  in the order in which they were made
 * @returns utterances in order; one is divided where its speaker changes
 */
export function corrected(transcription: Transcription, corrections: readonly Change[]): CorrectedTranscription {
  const active = corrections.filter(({ undone_at }) => undone_at === null);
  const utterances = new SpokenUtterances(transcription.utterances);
  const names = new Map((transcription.speakers ?? []).map(({ speaker, name }) => [speaker, name ?? ""]));
  apply(active, utterances, names);
  const spoken = utterances.all.filter((_, index) => !utterances.isJoined(index));
  const speakerNames = Object.fromEntries([...names].filter(([, name]) => name !== ""));
  if (!spoken.some(({ differs }) => differs)) {
    return {
      ...transcription,
      speaker_names: speakerNames,
      corrected_utterances: [],
      source_utterances: spoken.map((_, index) => index),
      paragraph_starts: [],
    };
  }
  const parts = utterances.all.flatMap((one, source): CorrectedPart[] => {
    if (utterances.isJoined(source)) return [];
    const { isChanged, differs } = one;
    return differs
      ? one.parts().map((part) => ({ ...part, source, isChanged }))
      : [{ utterance: one.source, source, isChanged, isBreak: false }];
  });
  // A part may start after the next recognised utterance, where two people talk at once.
  if (parts.length > spoken.length || spoken.length < utterances.all.length)
    parts.sort((left, right) => left.utterance.start - right.utterance.start);
  return {
    ...transcription,
    utterances: parts.map(({ utterance }) => utterance),
    full_transcript: spoken
      .map(({ fullText }) => fullText)
      .filter((text) => text !== "")
      .join(" "),
    ...(transcription.speaker_turns ? { speaker_turns: correctedTurns(transcription.speaker_turns, spoken) } : {}),
    speaker_names: speakerNames,
    corrected_utterances: parts.flatMap(({ isChanged }, at) => (isChanged ? [at] : [])),
    source_utterances: parts.map(({ source }) => source),
    paragraph_starts: parts.flatMap(({ isBreak }, at) => (isBreak ? [at] : [])),
  };
}

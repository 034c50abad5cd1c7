// The utterances of a transcript while corrections are applied to them. Pure.
import type {
  Correction,
  SpeakerMerge,
  SpeakerSplit,
  UtteranceBreak,
  UtteranceChange,
  UtteranceJoin,
} from "../../contract/transcript/correction.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { OccupiedStarts, UnitedNumbers } from "./occupied-starts.ts";
import { SpokenUtterance } from "./spoken-utterance.ts";
import type { TimeRange } from "./word-middles.ts";

export type Change = Pick<
  Correction,
  "merges" | "splits" | "utterances" | "joins" | "breaks" | "cues" | "speakers" | "undone_at"
>;

function rangeOf({ start, end }: TimeRange): TimeRange | undefined {
  return start === undefined && end === undefined ? undefined : { start, end };
}

function startsByChannel(utterances: readonly Utterance[]): Map<number, OccupiedStarts> {
  const starts = new Map<number, number[]>();
  for (const { channel, start } of utterances) {
    const own = starts.get(channel);
    if (own) own.push(start);
    else starts.set(channel, [start]);
  }
  return new Map([...starts].map(([channel, own]) => [channel, new OccupiedStarts(own)]));
}

/** Utterances with their index; those that are joined are the same one. */
export class SpokenUtterances {
  /** Names of speakers, by number. */
  readonly names: Map<number, string>;
  private readonly recognised: readonly Utterance[];
  private readonly all: readonly SpokenUtterance[];
  private readonly united: UnitedNumbers;
  private starts: Map<number, OccupiedStarts> | undefined;

  constructor({ utterances, speakers = [] }: Pick<Transcription, "utterances" | "speakers">) {
    this.recognised = utterances;
    this.all = utterances.map((utterance) => new SpokenUtterance(utterance));
    this.united = new UnitedNumbers(utterances.length);
    this.names = new Map(speakers.map(({ speaker, name }) => [speaker, name ?? ""]));
  }

  /** Recognised ones. */
  get count(): number {
    return this.all.length;
  }

  /** Those that are no part of another one, with their index. */
  current(): { index: number; one: SpokenUtterance }[] {
    return this.all.flatMap((one, index) => (this.united.find(index) === index ? [{ index, one }] : []));
  }

  at(index: number): SpokenUtterance | undefined {
    return this.all[this.united.find(index) ?? -1];
  }

  merge({ speaker, into }: SpeakerMerge): void {
    for (const { one } of this.current()) one.merge(speaker, into);
    this.names.delete(speaker);
  }

  split({ speaker, start, into }: SpeakerSplit): void {
    for (const { one } of this.current()) one.split(speaker, start, into);
  }

  change({ index, text, speaker, checked, ...times }: UtteranceChange): void {
    // Without times, the index of a joined utterance names its own words.
    const range = rangeOf(times) ?? (this.united.find(index) === index ? undefined : this.recognised[index]);
    const one = this.at(index);
    if (checked) one?.check(range ?? {});
    if (text !== undefined) one?.setText(text.trim(), range);
    if (speaker !== undefined) one?.setSpeaker(speaker, range);
  }

  /** @returns whether they were two, one after the other in their channel, and are one now */
  join({ index, into }: UtteranceJoin): boolean {
    const [second, first] = [this.united.find(index), this.united.find(into)];
    if (first === undefined || second === undefined || first === second) return false;
    const [one, other] = [this.all[first] as SpokenUtterance, this.all[second] as SpokenUtterance];
    this.starts ??= startsByChannel(this.recognised);
    const starts = this.starts.get(one.channel) as OccupiedStarts;
    if (!one.isFollowedBy(other) || starts.isAnyBetween(one.start, other.start)) return false;
    // The joined one starts at the earlier time.
    starts.remove(Math.max(one.start, other.start));
    one.join(other);
    this.united.unite(second, first);
    return true;
  }

  /** @returns whether it changed where paragraphs begin */
  break({ index, start, removed }: UtteranceBreak): boolean {
    const one = this.at(index);
    return (removed ? one?.removeBreak(start) : one?.break(start)) ?? false;
  }

  /** In order; undone ones are ignored. */
  applyAll(corrections: readonly Change[]): void {
    for (const correction of corrections) if (correction.undone_at === null) this.apply(correction);
  }

  private apply({ merges = [], splits = [], utterances = [], joins = [], breaks = [], speakers = [] }: Change): void {
    for (const merge of merges) this.merge(merge);
    for (const split of splits) this.split(split);
    for (const change of utterances) this.change(change);
    for (const join of joins) this.join(join);
    for (const one of breaks) this.break(one);
    for (const { speaker, name } of speakers) this.names.set(speaker, name.trim());
  }
}

// Decides which channels of a recording have a source of their own. The comparison finds where two channels differ; the
// caller detects speech in the difference.
import { bestOf, type LevelSummary } from "./channel-level.ts";
import {
  Difference,
  type FindSpeech,
  ownSpeechHypotheses,
  type RemainderHypotheses,
  relationHypotheses,
  unrelatedHypotheses,
} from "./difference.ts";
import { decisive, type Suspicion } from "./evidence.ts";
import { type PairReport, STRETCH_WINDOWS, type Stretch } from "./pair-report.ts";
import type { ChannelRole } from "./roles.ts";

export interface ComparedChannels {
  roles: readonly ChannelRole[];
  levels: readonly LevelSummary[];
  pairs: readonly PairReport[];
}

/** Windows examined at once, 16 s: channels of two callers differ within the first ones. */
const SECTION_WINDOWS = 64;

class Decision {
  constructor(
    private readonly compared: ComparedChannels,
    private readonly findSpeech: FindSpeech,
  ) {}

  /** Whether both channels carry the same source. */
  async isSame(one: number, other: number): Promise<boolean> {
    const pair = this.pairOf(one, other);
    // One of them is silent, or they never have sound at the same time.
    if (pair.commonWindows === 0) return false;
    for (const hypotheses of [relationHypotheses, unrelatedHypotheses]) {
      if (await this.isEvident(pair, ({ relation }) => hypotheses(pair.channels, relation))) return false;
    }
    return true;
  }

  /** Whether a channel has speech that another one lacks. */
  async hasOwnSpeech(channel: number, other: number): Promise<boolean> {
    const pair = this.pairOf(channel, other);
    if (!this.hasSound(channel)) return false;
    return this.isEvident(pair, ({ relation }) => ownSpeechHypotheses(channel, pair.channels, relation));
  }

  private hasSound(channel: number): boolean {
    return (this.compared.levels[channel]?.rangeDecibels ?? 0) > 0;
  }

  private pairOf(one: number, other: number): PairReport {
    const [left, right] = [Math.min(one, other), Math.max(one, other)];
    const found = this.compared.pairs.find(({ channels }) => channels[0] === left && channels[1] === right);
    return found ?? { channels: [left, right], commonWindows: 0, stretches: [] };
  }

  private async isEvident({ stretches }: PairReport, of: (stretch: Stretch) => RemainderHypotheses): Promise<boolean> {
    const difference = new Difference(this.findSpeech);
    for (const { stretch, from, suspicions } of decisiveSections(stretches)) {
      const hypotheses = of(stretch);
      if (hypotheses.length === 0) continue;
      await difference.add(from, suspicions, hypotheses);
      if (difference.isCertain) return true;
    }
    return false;
  }
}

/** Sections that could decide, trimmed to the relevant windows. */
function* decisiveSections(
  stretches: readonly Stretch[],
): Generator<{ stretch: Stretch; from: number; suspicions: Suspicion[] }> {
  const last = stretches.at(-1)?.number ?? -1;
  const all: Suspicion[] = new Array((last + 1) * STRETCH_WINDOWS).fill(0);
  for (const { number, suspicions } of stretches) {
    for (let at = 0; at < STRETCH_WINDOWS; at++)
      all[number * STRETCH_WINDOWS + at] = Number(suspicions[at]) as Suspicion;
  }
  const kept = decisive(all);
  for (const stretch of stretches) {
    for (let at = 0; at < STRETCH_WINDOWS; at += SECTION_WINDOWS) {
      const begin = stretch.number * STRETCH_WINDOWS + at;
      const piece = kept.slice(begin, begin + SECTION_WINDOWS);
      const first = piece.findIndex((suspicion) => suspicion > 0);
      if (first < 0) continue;
      const end = piece.findLastIndex((suspicion) => suspicion > 0) + 1;
      yield { stretch, from: begin + first, suspicions: piece.slice(first, end) };
    }
  }
}

/** Groups channels by source. */
async function groupBySource(channels: readonly number[], decision: Decision): Promise<number[][]> {
  const groups: number[][] = [];
  for (const channel of channels) {
    let found: number[] | undefined;
    for (const group of groups) {
      if (found || !(await decision.isSame(group[0] as number, channel))) continue;
      found = group;
    }
    if (found) found.push(channel);
    else groups.push([channel]);
  }
  return groups;
}

/** The channels of a surround mix that contain all speech: the centre, and others with speech of their own. */
async function surroundChannels(chosen: readonly number[], centre: number, decision: Decision): Promise<number[]> {
  const kept = [centre];
  for (const channel of chosen) {
    if (channel === centre) continue;
    let isNew = true;
    for (const other of kept) isNew &&= await decision.hasOwnSpeech(channel, other);
    if (isNew) kept.push(channel);
  }
  for (const channel of kept.slice(1)) {
    if (!(await decision.hasOwnSpeech(centre, channel))) return kept.slice(1);
  }
  return kept;
}

export interface DistinctChannels {
  /** The channels to transcribe, one per source, in file order. */
  kept: number[];
  /** For each channel, the channel that is transcribed for it. A channel that shares no source has its own number. */
  sources: number[];
}

/** @throws errors of findSpeech */
export async function distinctChannels(compared: ComparedChannels, findSpeech: FindSpeech): Promise<DistinctChannels> {
  const { roles, levels } = compared;
  const decision = new Decision(compared, findSpeech);
  const usable = [...roles.keys()].filter((channel) => roles[channel] !== "bass");
  const centre = usable.find((channel) => roles[channel] === "centre");
  if (centre !== undefined) {
    const chosen = await surroundChannels(usable, centre, decision);
    return { kept: chosen.sort((left, right) => left - right), sources: [...roles.keys()] };
  }
  const groups = await groupBySource(usable, decision);
  const sources = [...roles.keys()];
  for (const group of groups) for (const channel of group) sources[channel] = bestOf(group, levels);
  return { kept: groups.map((group) => bestOf(group, levels)).sort((left, right) => left - right), sources };
}

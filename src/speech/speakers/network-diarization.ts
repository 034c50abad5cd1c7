// Determines the speakers of a recording from windows of local speakers and the voices of their pieces: clusters the voices, assigns each window's
// local speakers to clusters, and counts in each frame how many of them talk. Overlaps are kept. The constants are those of a prototype, measured by
// `npm run bench -- speakers`. Pure; after the clustering, time grows linearly.
import { clusterVoices, type VoiceCluster } from "./average-linkage.ts";
import { candidatesBy, type KnownPieces, NOTHING_KNOWN } from "./known-pieces.ts";
import { candidatesByVoice } from "./own-voices.ts";
import type { FrameRange, VoicedPieces, WindowedSpeakers } from "./pieces.ts";
import { FRAME_SECONDS, frameSeconds, LOCAL_SPEAKERS, RAISED_SHIFT, WINDOW_FRAMES } from "./speaker-networks.ts";

/** A stretch in which a speaker talks, in seconds of the stored samples. Turns of different speakers may overlap. */
export interface SpeakerTurn {
  start: number;
  end: number;
  /** A label, without an order. */
  speaker: number;
}

/** Bounds of the number of speakers. */
export interface SpeakerBounds {
  minimum: number;
  maximum: number;
}

/** Mean distance up to which clusters are merged. */
const THRESHOLD = 0.6;
/** Subtracted from the distance of two pieces if all windows assign them to one speaker, added if all assign them to two. */
const WINDOW_EVIDENCE = 0.2;
/** Shorter pieces do not form clusters. */
const CLUSTERED_FRAMES = Math.ceil(0.6 / FRAME_SECONDS);
/** A piece belongs to the local speaker who talks in more than this share of its frames. */
const OWN_SHARE = 0.5;

/** A local speaker who never talks alone is assigned to one of the speakers of this many pieces before and after. */
const NEARBY_PIECES = 8;
/** Weight of nearby pieces: small compared with the similarities of voices. */
const NEARBY_WEIGHT = 0.01;

/** The pieces of each local speaker: for each window [local speaker][piece, frames]. */
export type Owners = [piece: number, frames: number][][];

export function ownersOf(windows: WindowedSpeakers, pieces: readonly FrameRange[]): Owners[] {
  const all: Owners[] = [];
  let first = 0;
  for (let window = 0; window < windows.count; window++) {
    const start = windows.startOf(window);
    while (first < pieces.length && (pieces[first] as FrameRange).end <= start) first++;
    const owners: Owners = Array.from({ length: LOCAL_SPEAKERS }, () => []);
    for (let index = first; index < pieces.length; index++) {
      const piece = pieces[index] as FrameRange;
      if (piece.start >= start + WINDOW_FRAMES) break;
      const counts = new Int32Array(LOCAL_SPEAKERS);
      const end = Math.min(piece.end, start + WINDOW_FRAMES);
      for (let frame = Math.max(piece.start, start); frame < end; frame++) {
        const speakers = windows.speakers(window, frame);
        for (let local = 0; local < LOCAL_SPEAKERS; local++) {
          if (speakers === 1 << local) counts[local] = (counts[local] as number) + 1;
        }
      }
      for (const [local, frames] of counts.entries()) if (frames > 0) owners[local]?.push([index, frames]);
    }
    all.push(owners);
  }
  return all;
}

/** For two pieces, counts the windows that assign them to one local speaker, and those to two. Keys: left * pieces + right. */
export function windowEvidence(owners: readonly Owners[], pieces: readonly FrameRange[]) {
  const counts = new Map<number, { same: number; different: number }>();
  for (const locals of owners) {
    const best = new Map<number, { local: number; frames: number }>();
    for (const [local, owned] of locals.entries()) {
      for (const [piece, frames] of owned) {
        if (frames > (best.get(piece)?.frames ?? 0)) best.set(piece, { local, frames });
      }
    }
    const seen = [...best].filter(([piece, { frames }]) => {
      const { start, end } = pieces[piece] as FrameRange;
      return frames > OWN_SHARE * (end - start);
    });
    for (const [left, one] of seen) {
      for (const [right, other] of seen) {
        if (left >= right) continue;
        const key = left * pieces.length + right;
        const count = counts.get(key) ?? { same: 0, different: 0 };
        counts.set(key, count);
        if (one.local === other.local) count.same++;
        else count.different++;
      }
    }
  }
  return (left: number, right: number) => {
    const count = counts.get(Math.min(left, right) * pieces.length + Math.max(left, right));
    return count ? (WINDOW_EVIDENCE * (count.different - count.same)) / (count.different + count.same) : 0;
  };
}

const row = (voices: Float32Array, index: number, dimensions: number) =>
  voices.subarray(index * dimensions, (index + 1) * dimensions);
const isVoice = (values: Float32Array) => values.some((value) => value !== 0);

/** Means of the clusters, of unit length, weighted by the durations of the pieces. */
function centroidsOf(clusters: readonly VoiceCluster[], { pieces, voices, dimensions }: VoicedPieces): Float64Array[] {
  return clusters.map(({ members }) => {
    const mean = new Float64Array(dimensions);
    for (const member of members) {
      const { start, end } = pieces[member] as FrameRange;
      for (const [at, value] of row(voices, member, dimensions).entries()) {
        mean[at] = (mean[at] as number) + (end - start) * value;
      }
    }
    const length = Math.hypot(...mean) || 1;
    return mean.map((value) => value / length);
  });
}

function clusterPieces(
  voiced: VoicedPieces,
  owners: readonly Owners[],
  { minimum, maximum }: SpeakerBounds,
  known: KnownPieces,
) {
  const { pieces, voices, dimensions } = voiced;
  const hasVoice = pieces.map((_, index) => isVoice(row(voices, index, dimensions)));
  let used = [...pieces.keys()].filter((index) => {
    const { start, end } = pieces[index] as FrameRange;
    return hasVoice[index] && end - start >= CLUSTERED_FRAMES;
  });
  if (used.length === 0) used = [...pieces.keys()].filter((index) => hasVoice[index]);
  const rows = new Float32Array(used.length * dimensions);
  for (const [at, index] of used.entries()) rows.set(row(voices, index, dimensions), at * dimensions);
  const evidence = windowEvidence(owners, pieces);
  const change = (left: number, right: number) => {
    const [one, other] = [used[left] as number, used[right] as number];
    return evidence(one, other) + known.change(one, other);
  };
  const clusters = clusterVoices(rows, dimensions, { threshold: THRESHOLD, minimum, maximum }, change);
  return clusters.map(({ members, sum }) => ({ members: members.map((member) => used[member] as number), sum }));
}

/** Similarity of each local speaker to each cluster. @param nearby  similarities for local speakers who never talk alone, and so have no voice */
export function similarities(
  owners: Owners,
  voiced: VoicedPieces,
  centroids: readonly Float64Array[],
  nearby: number[],
) {
  const { voices, dimensions } = voiced;
  return owners.map((owned) => {
    const mean = new Float64Array(dimensions);
    for (const [piece, frames] of owned) {
      for (const [at, value] of row(voices, piece, dimensions).entries())
        mean[at] = (mean[at] as number) + frames * value;
    }
    const length = Math.hypot(...mean);
    if (length === 0) return nearby;
    return centroids.map((centroid) =>
      centroid.reduce((sum, value, at) => sum + (value * (mean[at] as number)) / length, 0),
    );
  });
}

/** A small similarity for each cluster: its share of the pieces around a window, times NEARBY_WEIGHT. */
export function nearbyClusters(owners: Owners, labels: Int32Array, clusters: number): number[] {
  const indexes = owners.flatMap((owned) => owned.map(([piece]) => piece));
  const counts = new Array<number>(clusters).fill(0);
  const from = Math.max(0, Math.min(...indexes) - NEARBY_PIECES);
  const around = indexes.length === 0 ? [] : labels.subarray(from, Math.max(...indexes) + NEARBY_PIECES + 1);
  for (const label of around) if (label >= 0) counts[label] = (counts[label] as number) + 1;
  return counts.map((count) => (NEARBY_WEIGHT * count) / (around.length || 1));
}

function labelsOf(clusters: readonly VoiceCluster[], count: number): Int32Array {
  const labels = new Int32Array(count).fill(-1);
  for (const [label, { members }] of clusters.entries()) for (const member of members) labels[member] = label;
  return labels;
}

/** Assigns local speakers to different clusters with the greatest sum of similarities. @returns -1 for no cluster */
export function assign(rows: readonly (readonly number[])[]): number[] {
  let best: { sum: number; chosen: number[] } = { sum: Number.NEGATIVE_INFINITY, chosen: rows.map(() => -1) };
  // The three nearest clusters of a row suffice: the other two local speakers take at most two of them.
  const candidates = rows.map((values) =>
    [...values.keys()]
      .sort((left, right) => (values[right] as number) - (values[left] as number))
      .slice(0, LOCAL_SPEAKERS),
  );
  const search = (local: number, chosen: number[], sum: number) => {
    if (local === rows.length) {
      if (sum > best.sum) best = { sum, chosen };
      return;
    }
    // Assigning any cluster is better than none; there may be fewer clusters than local speakers.
    search(local + 1, [...chosen, -1], sum - 1 - (candidates[local]?.length ?? 0));
    for (const cluster of candidates[local] ?? []) {
      if (!chosen.includes(cluster)) search(local + 1, [...chosen, cluster], sum + (rows[local]?.[cluster] ?? 0));
    }
  };
  search(0, [], 0);
  return best.chosen;
}

/** Collects turns from frames in order. */
class TurnWriter {
  readonly turns: SpeakerTurn[] = [];
  private readonly open = new Map<number, number>();

  /** @param speakers  of this frame */
  frame(frame: number, speakers: readonly number[]): void {
    for (const [speaker, start] of this.open) {
      if (speakers.includes(speaker)) continue;
      this.turns.push({ start: frameSeconds(start), end: frameSeconds(frame), speaker });
      this.open.delete(speaker);
    }
    for (const speaker of speakers) if (!this.open.has(speaker)) this.open.set(speaker, frame);
  }

  finish(frame: number): SpeakerTurn[] {
    this.frame(frame, []);
    return this.turns.sort((left, right) => left.start - right.start || left.end - right.end);
  }
}

/**
 * Turns from windows whose local speakers are assigned to clusters.
 * @param assigned  cluster of each window's local speakers, -1 for none
 * @param clusters  clusters are below this
 * @param candidates  for a frame and its clusters, most active first: the clusters that may talk there
 * @returns turns in order of their starts; empty without speech
 */
export function turnsOfWindows(
  windows: WindowedSpeakers,
  assigned: readonly (readonly number[])[],
  clusters: number,
  candidates: (frame: number, active: number[]) => number[] = (_, active) => active,
): SpeakerTurn[] {
  const all = new TurnWriter();
  const activity = new Float64Array(clusters);
  let last = -1;
  windows.eachFrame((frame, from, to) => {
    // Windows without speech are missing.
    if (frame !== last + 1) all.frame(last + 1, []);
    last = frame;
    activity.fill(0);
    let total = 0;
    for (let window = from; window < to; window++) {
      const speakers = windows.speakers(window, frame, RAISED_SHIFT);
      for (let local = 0; local < LOCAL_SPEAKERS; local++) {
        if ((speakers & (1 << local)) === 0) continue;
        total++;
        const cluster = assigned[window]?.[local] ?? -1;
        if (cluster >= 0) activity[cluster] = (activity[cluster] as number) + 1;
      }
    }
    const count = Math.round(total / (to - from));
    const active = [...activity.keys()]
      .filter((cluster) => (activity[cluster] as number) > 0)
      .sort((left, right) => (activity[right] as number) - (activity[left] as number));
    const speaking = candidates(frame, active).slice(0, count);
    all.frame(frame, speaking);
  });
  return all.finish(last + 1);
}

/**
 * @param known  matches of the pieces with people whose voices are known
 * @returns turns in order of their starts; empty without speech
 */
export function diarizeWindows(
  windows: WindowedSpeakers,
  voiced: VoicedPieces,
  bounds: SpeakerBounds,
  known: KnownPieces = NOTHING_KNOWN,
): SpeakerTurn[] {
  const owners = ownersOf(windows, voiced.pieces);
  const clusters = clusterPieces(voiced, owners, bounds, known);
  const centroids = centroidsOf(clusters, voiced);
  const labels = labelsOf(clusters, voiced.pieces.length);
  const assigned = owners.map((own) =>
    assign(similarities(own, voiced, centroids, nearbyClusters(own, labels, clusters.length))),
  );
  const byVoice = candidatesByVoice(voiced, centroids);
  const byKnown = candidatesBy(voiced.pieces, labels, clusters, known);
  return turnsOfWindows(windows, assigned, clusters.length, (frame, active) => byKnown(frame, byVoice(frame, active)));
}

// Agglomerative clustering of voices by average linkage on one minus the cosine. The mean distance between two clusters of unit vectors is
// one minus the product of their means, so that a cluster needs only its sum: many voices are clustered in blocks first, and time and
// memory do not grow quadratically with the recording. Pure.
import { dotProduct } from "./vectors.ts";

export interface VoiceCluster {
  members: number[];
  /** Sum of the members' voices. */
  sum: Float64Array;
}

export interface LinkageOptions {
  /** Clusters are not merged above this mean distance. */
  threshold: number;
  minimum: number;
  maximum: number;
}

/** Added to the distance of two voices, by their indexes; applied within blocks. */
export type DistanceChange = (left: number, right: number) => number;

const BLOCK_CLUSTERS = 400;
/** Within blocks, clusters are merged only if their distance is this much below the threshold. */
const BLOCK_MARGIN = 0.1;

function meanDistance(left: VoiceCluster, right: VoiceCluster): number {
  return 1 - dotProduct(left.sum, right.sum) / (left.members.length * right.members.length);
}

/** Mean over the pairs of members; 0 for large clusters, whose pairs are far apart in time. */
function meanChange(left: VoiceCluster, right: VoiceCluster, change: DistanceChange): number {
  let sum = 0;
  for (const one of left.members) for (const other of right.members) sum += change(one, other);
  return sum / (left.members.length * right.members.length);
}

/** Index of the cluster with the fewest members. */
function smallest(clusters: readonly (VoiceCluster | undefined)[]): number {
  const sizes = clusters.map((one) => one?.members.length ?? Number.POSITIVE_INFINITY);
  return sizes.indexOf(Math.min(...sizes));
}

/** Merges the nearest clusters of one block. */
function mergeNearest(
  clusters: readonly VoiceCluster[],
  { threshold, minimum, maximum }: LinkageOptions,
  change?: DistanceChange,
): VoiceCluster[] {
  const open: (VoiceCluster | undefined)[] = [...clusters];
  const size = open.length;
  const distances = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const set = (one: number, other: number, value: number) => {
    distances[one * size + other] = value;
    distances[other * size + one] = value;
  };
  for (let one = 0; one < size; one++) {
    for (let other = one + 1; other < size; other++) {
      const [left, right] = [open[one] as VoiceCluster, open[other] as VoiceCluster];
      set(one, other, meanDistance(left, right) + (change ? meanChange(left, right, change) : 0));
    }
  }
  const nearest = new Int32Array(size).fill(-1);
  const findNearest = (one: number) => {
    nearest[one] = -1;
    let lowest = Number.POSITIVE_INFINITY;
    for (let other = 0; other < size; other++) {
      const distance = distances[one * size + other] as number;
      if (distance >= lowest) continue;
      lowest = distance;
      nearest[one] = other;
    }
  };
  const distanceOf = (one: number) =>
    nearest[one] === -1 ? Number.POSITIVE_INFINITY : (distances[one * size + (nearest[one] as number)] as number);
  for (let one = 0; one < size; one++) findNearest(one);
  for (let count = size; count > minimum; count--) {
    let best = 0;
    for (let one = 1; one < size; one++) if (distanceOf(one) < distanceOf(best)) best = one;
    if (distanceOf(best) > threshold) {
      if (count <= maximum) break;
      // Above the threshold, the smallest cluster is merged first: it is more often an outlier, such as a cough, than a person.
      best = smallest(open);
    }
    if (distanceOf(best) === Number.POSITIVE_INFINITY) break;
    const other = nearest[best] as number;
    const [left, right] = [open[best] as VoiceCluster, open[other] as VoiceCluster];
    const [share, rest] = [left.members.length, right.members.length].map(
      (length) => length / (left.members.length + right.members.length),
    ) as [number, number];
    open[best] = {
      members: [...left.members, ...right.members],
      sum: left.sum.map((value, at) => value + (right.sum[at] as number)),
    };
    open[other] = undefined;
    for (let third = 0; third < size; third++) {
      if (!open[third] || third === best) continue;
      const [near, far] = [distances[best * size + third] as number, distances[other * size + third] as number];
      set(best, third, share * near + rest * far);
    }
    for (let third = 0; third < size; third++) set(other, third, Number.POSITIVE_INFINITY);
    for (let third = 0; third < size; third++) {
      if (open[third] && (third === best || nearest[third] === best || nearest[third] === other)) findNearest(third);
    }
  }
  return open.filter((cluster) => cluster !== undefined);
}

/**
 * @param voices  row-major [count, dimensions], of unit length, in time order
 * @returns clusters of their indexes; at most `maximum`, and fewer than `minimum` only if there are fewer voices
 */
export function clusterVoices(
  voices: Float32Array,
  dimensions: number,
  options: LinkageOptions,
  change?: DistanceChange,
): VoiceCluster[] {
  const alone: VoiceCluster[] = Array.from({ length: voices.length / dimensions }, (_, index) => ({
    members: [index],
    sum: Float64Array.from(voices.subarray(index * dimensions, (index + 1) * dimensions)),
  }));
  if (alone.length <= BLOCK_CLUSTERS) return mergeNearest(alone, options, change);
  const inBlock = { threshold: options.threshold - BLOCK_MARGIN, minimum: 1, maximum: BLOCK_CLUSTERS };
  let clusters = alone;
  let threshold = inBlock.threshold;
  let isFirst = true;
  while (clusters.length > BLOCK_CLUSTERS) {
    const merged: VoiceCluster[] = [];
    for (let from = 0; from < clusters.length; from += BLOCK_CLUSTERS) {
      const block = clusters.slice(from, from + BLOCK_CLUSTERS);
      merged.push(...mergeNearest(block, { ...inBlock, threshold }, isFirst ? change : undefined));
    }
    // If few clusters were merged, the threshold rises. Otherwise the loop would never end for sounds without a voice, which all differ.
    threshold += merged.length > clusters.length / 2 ? BLOCK_MARGIN : 0;
    clusters = merged;
    isFirst = false;
  }
  return mergeNearest(clusters, options);
}

// Agglomerative clustering with Ward's criterion: merges the two clusters that least increase the sum of squared
// distances to the cluster means. Long recordings are first clustered in blocks, so that time and memory do not grow
// quadratically.

/** Row vectors of equal size. */
export interface Points {
  /** Row-major [count, dimensions]. */
  rows: Float32Array;
  dimensions: number;
}

export interface ClusteringOptions {
  /** Clusters are not merged above this cost. */
  threshold: number;
  minimum: number;
  maximum: number;
}

export interface Cluster {
  members: number[];
  mean: Float64Array;
}

const BLOCK_POINTS = 480;
/** Within blocks, clusters are merged only below this share of the threshold; the rest is decided over all blocks. */
const BLOCK_SHARE = 0.25;

/** Cost of merging two clusters: squared distance between their means, weighted by their sizes. */
function joiningCost(left: Cluster, right: Cluster): number {
  let apart = 0;
  for (let at = 0; at < left.mean.length; at++) {
    apart += ((left.mean[at] as number) - (right.mean[at] as number)) ** 2;
  }
  return (apart * left.members.length * right.members.length) / (left.members.length + right.members.length);
}

function join(left: Cluster, right: Cluster): Cluster {
  const share = right.members.length / (left.members.length + right.members.length);
  return {
    members: [...left.members, ...right.members],
    mean: left.mean.map((value, at) => value + share * ((right.mean[at] as number) - value)),
  };
}

/** Merges nearest neighbours up to `threshold`, and beyond it while there are more than `maximum`. */
export function joinNearest(clusters: Cluster[], { threshold, minimum, maximum }: ClusteringOptions): Cluster[] {
  const open: (Cluster | undefined)[] = [...clusters];
  const nearest = new Int32Array(open.length).fill(-1);
  const lowest = new Float64Array(open.length).fill(Number.POSITIVE_INFINITY);
  const findNearest = (index: number) => {
    nearest[index] = -1;
    lowest[index] = Number.POSITIVE_INFINITY;
    for (let other = 0; other < open.length; other++) {
      if (other === index || !open[other]) continue;
      const cost = joiningCost(open[index] as Cluster, open[other] as Cluster);
      if (cost < (lowest[index] as number)) {
        lowest[index] = cost;
        nearest[index] = other;
      }
    }
  };
  for (let index = 0; index < open.length; index++) findNearest(index);
  for (let count = open.length; count > minimum; count--) {
    let best = -1;
    for (let index = 0; index < open.length; index++) {
      if (open[index] && (best < 0 || (lowest[index] as number) < (lowest[best] as number))) best = index;
    }
    const other = nearest[best] as number;
    if (other < 0 || ((lowest[best] as number) > threshold && count <= maximum)) break;
    open[best] = join(open[best] as Cluster, open[other] as Cluster);
    open[other] = undefined;
    lowest[other] = Number.POSITIVE_INFINITY;
    for (let index = 0; index < open.length; index++) {
      if (open[index] && (index === best || nearest[index] === best || nearest[index] === other)) findNearest(index);
    }
  }
  return open.filter((cluster) => cluster !== undefined);
}

/** Each point as its own cluster. */
function singletons({ rows, dimensions }: Points): Cluster[] {
  return Array.from({ length: rows.length / dimensions }, (_, index) => ({
    members: [index],
    mean: Float64Array.from(rows.subarray(index * dimensions, (index + 1) * dimensions)),
  }));
}

/** @returns for each of `count` points the index of its cluster */
export function labelsOf(clusters: readonly Cluster[], count: number): Int32Array {
  const labels = new Int32Array(count);
  for (const [label, { members }] of clusters.entries()) for (const member of members) labels[member] = label;
  return labels;
}

/** Clusters of labelled points; the inverse of labelsOf. */
export function clustersOf({ rows, dimensions }: Points, labels: Int32Array): Cluster[] {
  const clusters = new Map<number, Cluster>();
  for (const [index, label] of labels.entries()) {
    const cluster = clusters.get(label) ?? { members: [], mean: new Float64Array(dimensions) };
    clusters.set(label, cluster);
    cluster.members.push(index);
    for (const [at, value] of cluster.mean.entries()) {
      cluster.mean[at] = value + ((rows[index * dimensions + at] as number) - value) / cluster.members.length;
    }
  }
  return [...clusters.values()];
}

export function cluster(points: Points, options: ClusteringOptions): Cluster[] {
  const alone = singletons(points);
  if (alone.length <= BLOCK_POINTS) return joinNearest(alone, options);
  const inBlock = { threshold: options.threshold * BLOCK_SHARE, minimum: 1, maximum: BLOCK_POINTS };
  const clusters: Cluster[] = [];
  for (let from = 0; from < alone.length; from += BLOCK_POINTS) {
    clusters.push(...joinNearest(alone.slice(from, from + BLOCK_POINTS), inBlock));
  }
  return joinNearest(clusters, options);
}

// Agglomerative clustering by Ward's measure: the two clusters are joined whose joining adds least to the squared
// distances of all points from their cluster's mean. Long recordings are clustered block by block first, so that
// neither time nor memory grows with the square.

/** Rows of numbers, all of one size. */
export interface Points {
  /** Row-major [count, dimensions]. */
  rows: Float32Array;
  dimensions: number;
}

export interface ClusteringOptions {
  /** Clusters whose joining would cost more than this stay apart. */
  threshold: number;
  minimum: number;
  maximum: number;
}

export interface Cluster {
  members: number[];
  mean: Float64Array;
}

const BLOCK_POINTS = 480;
/** Blocks join only what is surely one; the rest is left to the whole. */
const BLOCK_SHARE = 0.25;

/** What joining two clusters costs: squared distance between their means, weighted by their sizes. */
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

/** Joins nearest neighbours until `threshold` is passed; goes on while there are more than `maximum`. */
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

/** Each point as a cluster of its own. */
function singletons({ rows, dimensions }: Points): Cluster[] {
  return Array.from({ length: rows.length / dimensions }, (_, index) => ({
    members: [index],
    mean: Float64Array.from(rows.subarray(index * dimensions, (index + 1) * dimensions)),
  }));
}

/** @returns for each of `count` points the number of its cluster */
export function labelsOf(clusters: readonly Cluster[], count: number): Int32Array {
  const labels = new Int32Array(count);
  for (const [label, { members }] of clusters.entries()) for (const member of members) labels[member] = label;
  return labels;
}

/** Points that are labelled already as clusters; the inverse of labelsOf. */
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

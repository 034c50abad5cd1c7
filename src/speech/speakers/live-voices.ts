// Clusters voices as they arrive, by average linkage on one minus the cosine. A cluster is a sum of unit vectors and their number, so that
// memory depends on the number of speakers only. Clusters are joined when more speech shows that they are one voice; they are never split.
// Pure and deterministic; the state is small enough to be stored with every final.
import type { SpeakerBounds } from "./network-diarization.ts";
import { packFloats, unpackFloats } from "./packed-floats.ts";
import { dotProduct } from "./vectors.ts";

/** The sum of the voices of one speaker. */
interface LiveCluster {
  id: number;
  /** Sum of voices, each weighted by its seconds. */
  sum: Float32Array;
  /** Seconds of all voices. */
  seconds: number;
  /** End of the last voice, seconds. */
  lastSeconds: number;
}

/** A JSON value, of about 1 KB a speaker. */
export interface LiveVoicesState {
  nextId: number;
  /** `sum` is packed floats. */
  clusters: { id: number; sum: string; seconds: number; lastSeconds: number }[];
}

/** One cluster was found to be the same voice as another. */
export interface Joined {
  from: number;
  into: number;
}

// Chosen on the even meetings of `npm run bench -- speakers`.
/** A voice that is at least this far from every cluster starts a new one. */
const NEW_DISTANCE = 0.6;
/** Clusters nearer than this are joined. */
const JOIN_DISTANCE = 0.45;
/** If there are too many clusters, those with less than BRIEF_SECONDS of speech, and none for SILENT_SECONDS, are dropped first. */
const BRIEF_SECONDS = 3;
const SILENT_SECONDS = 600;

function joinedDistance(left: LiveCluster, right: LiveCluster): number {
  return 1 - dotProduct(left.sum, right.sum) / (left.seconds * right.seconds);
}

export interface NewVoice {
  /** Of unit length. */
  voice: Float32Array;
  seconds: number;
  endSeconds: number;
  /** Added to the distance from a cluster, by its id. */
  change(id: number): number;
}

export class LiveVoices {
  private clusters: LiveCluster[] = [];
  private nextId = 0;

  constructor(
    private readonly bounds: SpeakerBounds,
    state?: LiveVoicesState,
  ) {
    if (!state) return;
    this.nextId = state.nextId;
    this.clusters = state.clusters.map(({ sum, ...rest }) => ({ ...rest, sum: unpackFloats([sum]) }));
  }

  get state(): LiveVoicesState {
    return {
      nextId: this.nextId,
      clusters: this.clusters.map(({ sum, ...rest }) => ({ ...rest, sum: packFloats(sum) })),
    };
  }

  /** Ids of all clusters. */
  get ids(): number[] {
    return this.clusters.map(({ id }) => id);
  }

  /** The voice of each cluster, of unit length, and its seconds of speech. */
  get prints(): { id: number; print: number[]; seconds: number }[] {
    const { centroids } = this;
    return this.clusters.map(({ id, seconds }, at) => ({ id, seconds, print: [...(centroids[at] ?? [])] }));
  }

  /** Means of unit length, in the order of `ids`. */
  get centroids(): Float64Array[] {
    return this.clusters.map(({ sum }) => {
      const length = Math.hypot(...sum) || 1;
      return Float64Array.from(sum, (value) => value / length);
    });
  }

  /** Whether a voice would start a cluster. */
  isNew(incoming: NewVoice): boolean {
    return (this.nearest(incoming)?.distance ?? Number.POSITIVE_INFINITY) > NEW_DISTANCE;
  }

  /**
   * Adds a voice to the nearest cluster, or starts one.
   * @returns the id of its cluster, and the clusters that were joined
   */
  add(incoming: NewVoice): { id: number; joined: Joined[] } {
    const nearest = this.nearest(incoming);
    let cluster = nearest?.cluster;
    if (!cluster || (nearest && nearest.distance > NEW_DISTANCE)) {
      cluster = { id: this.nextId++, sum: new Float32Array(incoming.voice.length), seconds: 0, lastSeconds: 0 };
      this.clusters.push(cluster);
    }
    for (let at = 0; at < incoming.voice.length; at++) {
      cluster.sum[at] = (cluster.sum[at] as number) + incoming.seconds * (incoming.voice[at] as number);
    }
    cluster.seconds += incoming.seconds;
    cluster.lastSeconds = incoming.endSeconds;
    const joined = this.joinNear(incoming.endSeconds);
    const { id } = cluster;
    return { id: joined.reduce((now, { from, into }) => (now === from ? into : now), id), joined };
  }

  private nearest({ voice, change }: NewVoice): { cluster: LiveCluster; distance: number } | undefined {
    let best: { cluster: LiveCluster; distance: number } | undefined;
    for (const cluster of this.clusters) {
      const distance = 1 - dotProduct(voice, cluster.sum) / (Math.hypot(...cluster.sum) || 1) + change(cluster.id);
      if (!best || distance < best.distance) best = { cluster, distance };
    }
    return best;
  }

  private joinNear(endSeconds: number): Joined[] {
    const joined: Joined[] = [];
    for (;;) {
      let best: { left: LiveCluster; right: LiveCluster; distance: number } | undefined;
      for (const [index, left] of this.clusters.entries()) {
        for (const right of this.clusters.slice(index + 1)) {
          const distance = joinedDistance(left, right);
          if (!best || distance < best.distance) best = { left, right, distance };
        }
      }
      const isFull = this.clusters.length > this.bounds.maximum;
      if (!best || (best.distance >= JOIN_DISTANCE && !isFull) || this.clusters.length <= this.bounds.minimum) {
        return joined;
      }
      if (isFull && best.distance >= JOIN_DISTANCE && this.dropBriefCluster(endSeconds)) continue;
      joined.push(this.join(best.left, best.right));
    }
  }

  private dropBriefCluster(endSeconds: number): boolean {
    const brief = this.clusters.find(
      ({ seconds, lastSeconds }) => seconds < BRIEF_SECONDS && endSeconds - lastSeconds > SILENT_SECONDS,
    );
    if (!brief) return false;
    this.clusters = this.clusters.filter((one) => one !== brief);
    return true;
  }

  /** The earlier cluster remains. */
  private join(left: LiveCluster, right: LiveCluster): Joined {
    for (let at = 0; at < left.sum.length; at++) {
      left.sum[at] = (left.sum[at] as number) + (right.sum[at] as number);
    }
    left.seconds += right.seconds;
    left.lastSeconds = Math.max(left.lastSeconds, right.lastSeconds);
    this.clusters = this.clusters.filter((one) => one !== right);
    return { from: right.id, into: left.id };
  }
}

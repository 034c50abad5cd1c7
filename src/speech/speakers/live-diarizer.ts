// Finds the speakers of growing audio of one channel: segments a window of ten seconds every half second, computes the voice of each new
// stretch in which one speaker is alone, and clusters the voices as they arrive. It keeps the last windows; only the clusters represent
// earlier audio. The networks run in another process. The result depends on the audio alone, not on how it is divided when it is appended.
//
// A piece is a stretch of one speaker with its voice. It is provisional while it may grow: turns use it, clusters do not. Once it is settled
// or long enough, its voice is added to a cluster, and the frames up to its end are committed.
import { SAMPLE_RATE } from "../audio/sample-rate.ts";
import { joinedSamples } from "../audio/samples.ts";
import { type Joined, LiveVoices, type LiveVoicesState, type NewVoice } from "./live-voices.ts";
import {
  assign,
  nearbyClusters,
  type Owners,
  ownersOf,
  type SpeakerBounds,
  type SpeakerTurn,
  similarities,
  turnsOfWindows,
  windowEvidence,
} from "./network-diarization.ts";
import { candidatesByVoice } from "./own-voices.ts";
import { divided, type FrameRange, findRuns, type VoicedPieces, WindowedSpeakers } from "./pieces.ts";
import {
  FRAME_SAMPLES,
  FRAME_SECONDS,
  frameSeconds,
  LOCAL_SPEAKERS,
  STEP_SAMPLES,
  WINDOW_FRAMES,
  WINDOW_SAMPLES,
} from "./speaker-networks.ts";

/** Runs the networks on audio at 16 kHz in -1 to 1. */
export interface LiveNetworks {
  /** @param samples  WINDOW_SAMPLES @returns frames of the window, as in LocalWindows */
  segment(samples: Float32Array): Promise<Uint8Array>;
  /** Row-major [stretches, dimensions], of unit length; zeros for a stretch without a voice. */
  voices(stretches: readonly Float32Array[]): Promise<{ dimensions: number; voices: Float32Array }>;
}

/** A JSON value from which another process continues. */
export interface LiveDiarizerState {
  /** Samples of the channel up to which windows were processed. */
  processedSamples: number;
  /** Frame up to which voices belong to clusters. */
  committedFrame: number;
  voices: LiveVoicesState;
}

/** Result of one step. */
export interface LiveStep {
  /** End of the window, seconds. */
  endSeconds: number;
  /** Clusters that are one voice. */
  joined: Joined[];
  /** The window that ends there, as in LocalWindows. Recordings have the same windows at whole indexes only. */
  window: { index: number; row: Uint8Array };
}

/** Distance between the ends of windows. */
export const LIVE_STEP_SAMPLES = 8_000;
/** Windows that are kept: 15 s. */
const KEPT_WINDOWS = 30;
/** Most samples waiting to be processed; older ones count as silence. */
export const MOST_WAITING_SAMPLES = 120 * SAMPLE_RATE;
/** The segmentation is unreliable this close to a window's end. */
const EDGE_SAMPLES = 0.25 * SAMPLE_RATE;
/** Delay after the end of a stretch at which its voice is added to a cluster. */
const SETTLED_SAMPLES = SAMPLE_RATE;
/** Length at which the voice of a stretch that continues is added to a cluster. */
const OPEN_FRAMES = Math.floor(3 / FRAME_SECONDS);
/** Shorter stretches are assigned to a cluster, but do not change its mean. */
const CLUSTERED_FRAMES = Math.ceil(0.6 / FRAME_SECONDS);
/** Length at which the voice of a stretch that continues starts a new cluster. */
const EARLY_FRAMES = Math.ceil(1 / FRAME_SECONDS);
const LEAST_FRAMES = Math.ceil(0.4 / FRAME_SECONDS);
/** Weight of the labels of a local speaker's pieces, relative to the similarity of their voices. */
const LABEL_WEIGHT = 0.4;

interface LabelledPiece extends FrameRange {
  voice: Float32Array;
  /** Cluster; -1 while it is provisional. */
  id: number;
}

export class LiveDiarizer {
  private readonly voices: LiveVoices;
  private windows: { index: number; row: Uint8Array }[] = [];
  private pieces: LabelledPiece[] = [];
  private samples = new Float32Array(0);
  /** Position of the first kept sample. */
  private firstSample: number;
  private processed: number;
  private committed: number;
  private found: SpeakerTurn[] = [];

  /**
   * @param networks  run in another process
   * @param startSample  position of the first sample that is appended. With a state, it must not exceed `processedSamples`; the first
   *   window is complete only if it is at least ten seconds earlier.
   */
  constructor(
    private readonly networks: LiveNetworks,
    bounds: SpeakerBounds,
    { state, startSample = 0 }: { state?: LiveDiarizerState; startSample?: number } = {},
  ) {
    this.voices = new LiveVoices(bounds, state?.voices);
    this.firstSample = startSample;
    this.processed = state?.processedSamples ?? Math.floor(startSample / LIVE_STEP_SAMPLES) * LIVE_STEP_SAMPLES;
    this.committed = state?.committedFrame ?? Math.floor(startSample / FRAME_SAMPLES);
  }

  get state(): LiveDiarizerState {
    return { processedSamples: this.processed, committedFrame: this.committed, voices: this.voices.state };
  }

  /** The voice of each cluster. */
  get prints(): { id: number; print: number[]; seconds: number }[] {
    return this.voices.prints;
  }

  /** Range of the window of the next step, samples. */
  get nextWindow(): { from: number; until: number } {
    const until = this.processed + LIVE_STEP_SAMPLES;
    return { from: Math.max(0, until - WINDOW_SAMPLES), until };
  }

  /** Seconds of audio that were processed. */
  get processedSeconds(): number {
    return this.processed / SAMPLE_RATE;
  }

  /** Turns in the kept windows; `speaker` is a cluster's id. They may change within the last ten seconds. */
  get turns(): readonly SpeakerTurn[] {
    return this.found;
  }

  /** Appends audio at 16 kHz. */
  append(samples: Float32Array): void {
    const oldest = this.processed - WINDOW_SAMPLES;
    const waiting = this.firstSample + this.samples.length + samples.length - this.processed;
    if (waiting > MOST_WAITING_SAMPLES) {
      const steps = Math.ceil((waiting - MOST_WAITING_SAMPLES) / LIVE_STEP_SAMPLES);
      this.processed += steps * LIVE_STEP_SAMPLES;
    }
    const all = joinedSamples([this.samples, samples]);
    const dropped = Math.max(0, Math.min(all.length, oldest - this.firstSample));
    this.samples = all.slice(dropped);
    this.firstSample += dropped;
  }

  /** Whether enough audio for another step was appended. */
  get isDue(): boolean {
    return this.firstSample + this.samples.length >= this.processed + LIVE_STEP_SAMPLES;
  }

  /**
   * Processes the next half second. Calls must not overlap.
   * @param hasSpeech  false if the window has no speech; the networks then do not run
   * @returns undefined if too little audio was appended
   * @throws errors of the networks; the step can then be repeated
   */
  async step(hasSpeech = true): Promise<LiveStep | undefined> {
    if (!this.isDue) return undefined;
    const end = this.processed + LIVE_STEP_SAMPLES;
    const start = Math.max(0, end - WINDOW_SAMPLES);
    const index = start / STEP_SAMPLES;
    const row = hasSpeech
      ? await this.networks.segment(this.cut(start, end - start, WINDOW_SAMPLES))
      : new Uint8Array(WINDOW_FRAMES);
    // The first window grows until it is complete.
    const before = this.windows.filter((one) => one.index !== index);
    const windows = [...before, { index, row }].slice(-KEPT_WINDOWS);
    const view = new WindowedSpeakers(windows.map((one) => ({ first: one.index, frames: one.row })));
    const open = this.openRanges(view, end);
    const stretches = open.map(({ start, end: to }) => this.cut(start * FRAME_SAMPLES, (to - start) * FRAME_SAMPLES));
    const { dimensions, voices } =
      stretches.length > 0 ? await this.networks.voices(stretches) : { dimensions: 0, voices: new Float32Array(0) };
    // The state changes only after the networks have succeeded, so that a failed step can be repeated.
    this.windows = windows;
    this.processed = end;
    const first = Math.max(0, view.startOf(0));
    this.pieces = this.pieces.filter((piece) => piece.end > first);
    const joined: Joined[] = [];
    const provisional: LabelledPiece[] = [];
    for (const [at, { isSettled, ...range }] of open.entries()) {
      const voice = voices.slice(at * dimensions, (at + 1) * dimensions);
      const piece = { ...range, voice, id: -1 };
      if (!voice.some((value) => value !== 0)) continue;
      const length = range.end - range.start;
      const voiceOfPiece = this.newVoice(view, piece);
      if (!isSettled && !(length >= EARLY_FRAMES && this.voices.isNew(voiceOfPiece))) {
        provisional.push(piece);
        continue;
      }
      this.committed = Math.max(this.committed, range.end);
      if (length >= CLUSTERED_FRAMES || this.voices.ids.length === 0) {
        const added = this.voices.add(voiceOfPiece);
        piece.id = added.id;
        joined.push(...added.joined);
        for (const { from, into } of added.joined) {
          for (const other of this.pieces) if (other.id === from) other.id = into;
        }
      }
      this.pieces.push(piece);
    }
    this.committed = Math.max(this.committed, this.settledFrame(end, open));
    this.found = this.turnsOf(view, [...this.pieces, ...provisional]);
    return { endSeconds: end / SAMPLE_RATE, joined, window: { index, row } };
  }

  /** Samples of a range; zeros where they are not kept. */
  private cut(from: number, count: number, length = count): Float32Array {
    const cut = new Float32Array(length);
    const skipped = Math.max(0, this.firstSample - from);
    const start = Math.max(0, from - this.firstSample);
    cut.set(this.samples.subarray(start, Math.max(start, from + count - this.firstSample)), Math.min(skipped, count));
    return cut;
  }

  /** Stretches of one speaker that belong to no cluster yet. */
  private openRanges(view: WindowedSpeakers, end: number): (FrameRange & { isSettled: boolean })[] {
    const edge = Math.floor((end - EDGE_SAMPLES) / FRAME_SAMPLES);
    const settled = Math.floor((end - SETTLED_SAMPLES) / FRAME_SAMPLES);
    const ranges: (FrameRange & { isSettled: boolean })[] = [];
    for (const run of findRuns(view)) {
      const start = Math.max(run.start, this.committed);
      const stop = Math.min(run.end, edge);
      if (stop - start < LEAST_FRAMES) continue;
      const isSettled = run.end <= settled || stop - start >= OPEN_FRAMES;
      for (const piece of divided({ start, end: stop })) ranges.push({ ...piece, isSettled });
    }
    return ranges;
  }

  /** Frame up to which every stretch is in a cluster. */
  private settledFrame(end: number, open: readonly (FrameRange & { isSettled: boolean })[]) {
    const waiting = open.find(({ isSettled, start }) => !isSettled && start >= this.committed);
    // Stretches that are still too short may grow.
    const settled = Math.floor((end - 2 * SETTLED_SAMPLES) / FRAME_SAMPLES);
    return waiting ? Math.min(waiting.start, settled) : settled;
  }

  private newVoice(view: WindowedSpeakers, piece: LabelledPiece): NewVoice {
    const ordered = inOrder([...this.pieces.filter(({ id }) => id >= 0), piece]);
    const evidence = windowEvidence(ownersOf(view, ordered), ordered);
    const own = ordered.indexOf(piece);
    return {
      voice: piece.voice,
      seconds: (piece.end - piece.start) * FRAME_SECONDS,
      endSeconds: frameSeconds(piece.end),
      change: (id) => {
        const changes = ordered.flatMap((other, at) => (other.id === id ? [evidence(at, own)] : []));
        return changes.length === 0 ? 0 : changes.reduce((sum, one) => sum + one, 0) / changes.length;
      },
    };
  }

  private turnsOf(view: WindowedSpeakers, pieces: readonly LabelledPiece[]): SpeakerTurn[] {
    const { ids, centroids } = this.voices;
    const ordered = inOrder(pieces);
    const dimensions = ordered[0]?.voice.length ?? 0;
    const rows = new Float32Array(ordered.length * dimensions);
    for (const [at, { voice }] of ordered.entries()) rows.set(voice, at * dimensions);
    const voiced: VoicedPieces = { pieces: ordered, voices: rows, dimensions };
    const labels = Int32Array.from(ordered, ({ id }) => ids.indexOf(id));
    const assigned = ownersOf(view, ordered).map((owners) => {
      const nearby = nearbyClusters(owners, labels, ids.length);
      const alike = similarities(owners, voiced, centroids, nearby);
      return assign(withLabels(alike, owners, labels));
    });
    const byVoice = candidatesByVoice(voiced, centroids);
    return turnsOfWindows(view, assigned, ids.length, byVoice).map((turn) => ({
      ...turn,
      speaker: ids[turn.speaker] as number,
    }));
  }
}

const inOrder = <Range extends FrameRange>(pieces: readonly Range[]): Range[] =>
  [...pieces].sort((left, right) => left.start - right.start);

/** Adds to the similarities the share of each local speaker's frames that belong to a cluster. */
function withLabels(alike: number[][], owners: Owners, labels: Int32Array): number[][] {
  return Array.from({ length: LOCAL_SPEAKERS }, (_, local) => {
    const owned = owners[local] ?? [];
    const all = owned.reduce((sum, [, frames]) => sum + frames, 0) || 1;
    return (alike[local] ?? []).map((value, cluster) => {
      const own = owned.reduce((sum, [piece, frames]) => sum + (labels[piece] === cluster ? frames : 0), 0);
      return value + (LABEL_WEIGHT * own) / all;
    });
  });
}

// Stretches of a recording in which a channel has only what leaks into it. A segment within one of them has no words of that channel.
import { cutSegments, DEFAULT_SEGMENTATION, type Segment } from "../voice-activity/segmentation.ts";
import { BLOCK_SAMPLES } from "./blocks.ts";

/** Bound for a job's row, for each channel: about 30 kB. Behind the last one, segments count as the channel's own. */
export const MOST_LEAK_STRETCHES = 2_000;
/** Shorter ones cannot contain a segment: 64 ms. */
const LEAST_BLOCKS = 2;

/** Blocks of 32 ms, in stored samples; the end is exclusive. */
export type LeakStretch = [fromBlock: number, untilBlock: number];

/** Cuts at the same places as with margins: the longest segment includes them. */
const WITHOUT_MARGINS = {
  ...DEFAULT_SEGMENTATION,
  leadSeconds: 0,
  tailSeconds: 0,
  maximumSeconds:
    DEFAULT_SEGMENTATION.maximumSeconds - DEFAULT_SEGMENTATION.leadSeconds - DEFAULT_SEGMENTATION.tailSeconds,
};

/** Collects the stretches of one channel. */
export class LeakStretches {
  private readonly closed: LeakStretch[] = [];
  private open: LeakStretch | undefined;

  /** Adds samples [from, until), in whole blocks and in order. The block before the recording is ignored. */
  add(from: number, until: number): void {
    const [first, end] = [Math.max(0, from / BLOCK_SAMPLES), until / BLOCK_SAMPLES];
    if (end <= first) return;
    if (this.open && first <= this.open[1]) this.open[1] = Math.max(this.open[1], end);
    else {
      this.close();
      this.open = [first, end];
    }
  }

  end(): LeakStretch[] {
    this.close();
    return this.closed;
  }

  private close(): void {
    const { open, closed } = this;
    if (open && open[1] - open[0] >= LEAST_BLOCKS && closed.length < MOST_LEAK_STRETCHES) closed.push(open);
    this.open = undefined;
  }
}

/**
 * Segments that are not within a stretch. One block with a voice of the channel itself keeps a segment.
 * @param segments  as `cutSegments` cuts them
 */
export function ownSegments(
  segments: readonly Segment[],
  probabilities: Float32Array,
  totalSamples: number,
  stretches: readonly LeakStretch[],
): Segment[] {
  if (stretches.length === 0) return [...segments];
  const speech = cutSegments(probabilities, totalSamples, WITHOUT_MARGINS);
  // Segments are compared by their number: both cuts must have the same places.
  if (speech.length !== segments.length) return [...segments];
  const isLeak = ({ startSample, endSample }: Segment) =>
    stretches.some(([from, until]) => startSample >= from * BLOCK_SAMPLES && endSample <= until * BLOCK_SAMPLES);
  return segments.filter((_, at) => !isLeak(speech[at] as Segment));
}

// Word times from the decoder's cross-attention. The mean attention of a few alignment heads (chosen by measurement,
// see docs/decisions) is aligned by dynamic time warping; then silence at the edges of each word is trimmed by energy.

/** Frames of a token, end exclusive. */
export interface FrameSpan {
  start: number;
  end: number;
}

/**
 * Monotonic alignment of tokens to frames with the greatest summed attention: each step either stays on the token,
 * or moves to the next one with or without a new frame.
 * @param attention  row-major [tokens, frames]
 * @returns one span per token; starts and ends never decrease, each span holds at least one frame
 * @source Sakoe & Chiba 1978
 */
export function alignTokens(attention: Float32Array, tokens: number, frames: number): FrameSpan[] {
  if (tokens === 0 || frames === 0) return [];
  const DIAGONAL = 0;
  const SAME_TOKEN = 1;
  const SAME_FRAME = 2;
  const steps = new Uint8Array(tokens * frames);
  let above = new Float64Array(frames).fill(Number.NEGATIVE_INFINITY);
  for (let token = 0; token < tokens; token++) {
    const row = new Float64Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      const diagonal = frame > 0 ? (above[frame - 1] as number) : token === 0 ? 0 : Number.NEGATIVE_INFINITY;
      const left = frame > 0 ? (row[frame - 1] as number) : Number.NEGATIVE_INFINITY;
      const up = above[frame] as number;
      const best = token === 0 && frame === 0 ? 0 : Math.max(diagonal, left, up);
      const step = best === diagonal ? DIAGONAL : best === left ? SAME_TOKEN : SAME_FRAME;
      steps[token * frames + frame] = step;
      row[frame] = best + (attention[token * frames + frame] as number);
    }
    above = row;
  }
  const spans: FrameSpan[] = Array.from({ length: tokens }, () => ({ start: frames, end: 0 }));
  let token = tokens - 1;
  let frame = frames - 1;
  while (token >= 0 && frame >= 0) {
    const span = spans[token] as FrameSpan;
    span.start = Math.min(span.start, frame);
    span.end = Math.max(span.end, frame + 1);
    const step = steps[token * frames + frame];
    if (step !== SAME_TOKEN) token--;
    if (step !== SAME_FRAME) frame--;
  }
  return spans;
}

function highestIn(row: Float32Array, { start, end }: FrameSpan): number {
  let highest = 0;
  for (let frame = start; frame < end; frame++) highest = Math.max(highest, row[frame] as number);
  return highest;
}

/**
 * First frame of a word: a pause before it also gets attention, but less.
 * @param row    attention of its first token, one value for each frame
 * @param span   the token's frames
 * @param share  of the span's highest attention, from which a frame belongs to the word; 0 takes the whole span
 */
export function firstAttendedFrame(row: Float32Array, span: FrameSpan, share: number): number {
  const least = share * highestIn(row, span);
  let first = span.start;
  while (first < span.end - 1 && (row[first] as number) < least) first++;
  return first;
}

/** Share of a token's highest attention below which a frame has none. */
const ATTENDED_SHARE = 0.05;

/** Last frame of a token with attention. @param row  attention of the token, one value for each frame */
export function lastAttendedFrame(row: Float32Array, span: FrameSpan): number {
  const least = ATTENDED_SHARE * highestIn(row, span);
  let last = span.end - 1;
  while (last > span.start && (row[last] as number) < least) last--;
  return last;
}

/** Position between background and loud speech below which a frame counts as silence; 0 to 1. */
const SILENCE_SHARE = 0.15;
/**
 * Below the noise of any recording: digital silence must not lower the silence threshold. Decibels relative to full
 * scale.
 */
const LOWEST_BACKGROUND_DECIBELS = -70;
/** Shortest word after trimming, about 50 ms. */
const SHORTEST_WORD_FRAMES = 2;

/** Level below which a frame of this segment is silence, decibels. */
export function silenceLevel(energies: Float32Array): number {
  const sorted = Float32Array.from(energies).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NEGATIVE_INFINITY;
  const background = Math.max(LOWEST_BACKGROUND_DECIBELS, at(0.1));
  return background + SILENCE_SHARE * (at(0.95) - background);
}

/** The span without silent frames at its edges. */
export function trimSilence(span: FrameSpan, energies: Float32Array, silence: number): FrameSpan {
  let { start, end } = span;
  while (end - start > SHORTEST_WORD_FRAMES && (energies[start] as number) < silence) start++;
  while (end - start > SHORTEST_WORD_FRAMES && (energies[end - 1] as number) < silence) end--;
  return { start, end };
}

/** Number of words starting in one frame, and in the last frame, that marks them as hallucinated. */
const IMPLAUSIBLE_IN_A_FRAME = 3;
const IMPLAUSIBLE_IN_THE_LAST_FRAME = 2;

/**
 * Detects words without speech behind them ("Thanks for watching."): all start in the same frame.
 * @param starts  first frame of each word
 * @param frames  of the audio
 * @returns for each word whether it is plausible
 */
export function plausibleWords(starts: readonly number[], frames: number): boolean[] {
  const together = new Map<number, number>();
  for (const start of starts) together.set(start, (together.get(start) ?? 0) + 1);
  return starts.map((start) => {
    const implausible = start >= frames - 1 ? IMPLAUSIBLE_IN_THE_LAST_FRAME : IMPLAUSIBLE_IN_A_FRAME;
    return (together.get(start) ?? 0) < implausible;
  });
}

// Pieces of audio whose speaker embeddings the recogniser's encoder computes, for recordings and ended live sessions.
import { SAMPLE_RATE } from "../audio/sample-rate.ts";
import { WINDOW_SECONDS } from "./pooling.ts";

/** Length that the encoder was trained with. */
const PIECE_SECONDS = 30;

/** Times in seconds. */
export interface EncoderPiece {
  /** Range whose words are embedded. */
  from: number;
  to: number;
  /** Range whose words take part in a window of the piece. */
  earliest: number;
  latest: number;
  /** Audio of the piece, with half a window before and after. */
  samplesStart: number;
  startSample: number;
  sampleCount: number;
}

/** Consecutive pieces of audio of this length. */
export function* encoderPieces(seconds: number): Generator<EncoderPiece> {
  for (let from = 0; from < seconds; from += PIECE_SECONDS) {
    const to = from + PIECE_SECONDS;
    const samplesStart = Math.max(0, from - WINDOW_SECONDS / 2);
    const startSample = Math.round(samplesStart * SAMPLE_RATE);
    const sampleCount = Math.round((to + WINDOW_SECONDS / 2) * SAMPLE_RATE) - startSample;
    yield {
      from,
      to,
      earliest: from - WINDOW_SECONDS,
      latest: to + WINDOW_SECONDS,
      samplesStart,
      startSample,
      sampleCount,
    };
  }
}

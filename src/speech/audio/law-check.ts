// Detects A-law that is read as mu-law, and the reverse. Both codes have the same sign bit; their magnitudes, in steps of
// the code, differ in three bits. The right law has neighbours that are closer together. The thresholds are from one
// half of ../shared/data; see docs/decisions/2026-11-25-live-input.md.
import type { SampleFormat } from "./stream-format.ts";

/**
 * The wrong law moves this much more between neighbours, and its squares in relation to the level. The second excludes
 * clipped noise and square waves, which move as much as their level under either law.
 */
const ROUGHER = 1.3;
const ROUGHER_SQUARES = 1.45;
/** Independent neighbours have 2. A tone above a quarter of the sampling rate has more under its own law. */
const MOST_SQUARES = 2.2;

interface Movement {
  /** Mean difference of neighbours, in steps of the code. */
  mean: number;
  /** Their mean square, in relation to that of the magnitudes. */
  squares: number;
}

type MagnitudeOf = (code: number) => number;
const ULAW_MAGNITUDE: MagnitudeOf = (code) => 0x7f - code;
const ALAW_MAGNITUDE: MagnitudeOf = (code) => code ^ 0x55;

/** Movement of the first of interleaved channels. */
function movementOf(bytes: Buffer, channels: number, magnitudeOf: MagnitudeOf): Movement {
  let [sum, squares, energy, count, last] = [0, 0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += channels) {
    const code = bytes[at] as number;
    // Half a step keeps the two zeros apart.
    const magnitude = magnitudeOf(code & 0x7f) + 0.5;
    const value = code & 0x80 ? magnitude : -magnitude;
    const difference = at > 0 ? Math.abs(value - last) : 0;
    sum += difference;
    squares += difference * difference;
    energy += magnitude * magnitude;
    count++;
    last = value;
  }
  return { mean: sum / count, squares: squares / energy };
}

/**
 * Takes time linear in the bytes. May be called for any part of a stream.
 * @param bytes  half a second or more of received samples, whole frames
 * @returns the other law, if the samples of the first channel are smoother with it
 */
export function likelyLaw(bytes: Buffer, { encoding, channels }: SampleFormat): "A-law" | "mu-law" | undefined {
  if (encoding !== "wav/alaw" && encoding !== "wav/ulaw") return undefined;
  const alaw = movementOf(bytes, channels, ALAW_MAGNITUDE);
  const ulaw = movementOf(bytes, channels, ULAW_MAGNITUDE);
  const [own, other] = encoding === "wav/alaw" ? [alaw, ulaw] : [ulaw, alaw];
  const isRougher = own.mean > ROUGHER * other.mean && own.squares > ROUGHER_SQUARES * other.squares;
  if (!isRougher || own.squares > MOST_SQUARES) return undefined;
  return encoding === "wav/alaw" ? "mu-law" : "A-law";
}

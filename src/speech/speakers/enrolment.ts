// Judges whether a recording has the voice of one person, from its windows of local speakers and the voices of its pieces. Pure. The
// constants were checked with `npm run bench -- voices`.
import { clusterVoices } from "./average-linkage.ts";
import { meanVoice } from "./known-voices.ts";
import type { FrameRange } from "./pieces.ts";
import { FRAME_SECONDS } from "./speaker-networks.ts";
import { dotProduct } from "./vectors.ts";

export interface EnrolledVoice {
  /** Of unit length. */
  print: Float32Array;
  /** Of speech. */
  seconds: number;
}

export type Enrolment = { voice: EnrolledVoice } | { problem: string };

/** A piece of one local speaker with its voice, of unit length. */
export interface EnrolmentPiece {
  piece: FrameRange;
  print: Float32Array;
}

/** Least speech of one person, seconds. */
const LEAST_ENROLMENT_SECONDS = 4;
/** Mean distance up to which pieces are one voice. */
const ONE_VOICE_DISTANCE = 0.6;
/** Another voice with more speech than this, and more than this share, is a second person. */
const OTHER_SECONDS = 1.5;
const OTHER_SHARE = 0.15;
/** Mean similarity of the pieces to their mean: sounds without a voice, such as music, have less. */
const LEAST_COHERENCE = 0.55;
/** Share of the pieces' time in which voice activity detection finds speech. */
const LEAST_SPEECH_SHARE = 0.1;

const secondsOf = ({ start, end }: FrameRange) => (end - start) * FRAME_SECONDS;
const total = (pieces: readonly EnrolmentPiece[]) => pieces.reduce((sum, { piece }) => sum + secondsOf(piece), 0);
const shown = (seconds: number) => seconds.toFixed(1);

/**
 * @param speechShare  share of a piece in which voice activity detection finds speech, 0 to 1
 * @param leastSeconds  of speech of one person
 * @returns the voice, or one sentence that names the fault of the recording
 */
export function judgeEnrolment(
  found: readonly EnrolmentPiece[],
  speechShare: (piece: FrameRange) => number,
  leastSeconds = LEAST_ENROLMENT_SECONDS,
): Enrolment {
  const pieces = found.filter(({ print }) => print.some((value) => value !== 0));
  const all = total(pieces);
  if (pieces.length === 0) return { problem: "no speech was found in it; record 10 s of the person alone" };
  const spoken = pieces.reduce((sum, { piece }) => sum + speechShare(piece) * secondsOf(piece), 0);
  if (spoken < LEAST_SPEECH_SHARE * all) {
    return { problem: "it has music or noise, and hardly any speech; record 10 s of the person alone" };
  }
  const dimensions = pieces[0]?.print.length ?? 1;
  const rows = new Float32Array(pieces.length * dimensions);
  for (const [at, { print }] of pieces.entries()) rows.set(print, at * dimensions);
  const bounds = { threshold: ONE_VOICE_DISTANCE, minimum: 1, maximum: pieces.length };
  const voices = clusterVoices(rows, dimensions, bounds, () => 0)
    .map(({ members }) => members.map((member) => pieces[member] as EnrolmentPiece))
    .sort((left, right) => total(right) - total(left));
  const [own = [], other = []] = voices;
  if (total(other) > OTHER_SECONDS && total(other) > OTHER_SHARE * all) {
    return {
      problem: `it has more than one voice (${shown(total(own))} s and ${shown(total(other))} s); record one person alone`,
    };
  }
  const seconds = total(own);
  if (seconds < leastSeconds) {
    return {
      problem: `it has ${shown(seconds)} s of speech of one person; at least ${leastSeconds} s are needed, and 10 s are better`,
    };
  }
  const print = meanVoice(
    own.map((one) => one.print),
    own.map(({ piece }) => secondsOf(piece)),
  );
  const coherence = own.reduce((sum, one) => sum + (secondsOf(one.piece) / seconds) * dotProduct(one.print, print), 0);
  if (coherence < LEAST_COHERENCE) {
    return { problem: "its sound is not that of one clear voice; record the person alone, without music or noise" };
  }
  return { voice: { print, seconds } };
}

// Compares the pieces of a recording with the voices of known people, before the pieces are clustered. Pieces of one known person attract
// each other. A piece of a known person and a piece of another person repel each other. Pure.
import type { DistanceChange, VoiceCluster } from "./average-linkage.ts";
import { type KnownPerson, meanVoice } from "./known-voices.ts";
import type { FrameRange, VoicedPieces } from "./pieces.ts";
import { FRAME_SECONDS } from "./speaker-networks.ts";
import { dotProduct } from "./vectors.ts";

/** Shorter pieces are not compared: their voices are unreliable. */
const LEAST_FRAMES = Math.ceil(1.2 / FRAME_SECONDS);
/** Least similarity at which a piece is assigned to a known person. */
const OWN_SIMILARITY = 0.5;
/** Least lead over the similarity to every other known person. */
const MARGIN = 0.1;
/** Below this similarity, a piece is assumed to be another person's. */
const OTHER_SIMILARITY = 0.4;
/** Subtracted from the distance of two pieces of one person, added for pieces of different people. */
const EVIDENCE = 0.3;

/** Matches of pieces with known people, both by their indexes. */
export interface KnownPieces {
  /** Change of the distance of two pieces. */
  change: DistanceChange;
  /** The person to whom a piece belongs; undefined if no person matches, or several do. */
  ownerOf(piece: number): number | undefined;
  /** Whether a piece belongs to another person than this one. */
  isOther(piece: number, person: number): boolean;
}

export const NOTHING_KNOWN: KnownPieces = { change: () => 0, ownerOf: () => undefined, isOther: () => false };

export function knownPieces({ pieces, voices, dimensions }: VoicedPieces, people: readonly KnownPerson[]): KnownPieces {
  const means = people
    .map(({ prints, seconds }) => meanVoice(prints, seconds))
    .filter((mean) => mean.length === dimensions);
  if (means.length === 0) return NOTHING_KNOWN;
  /** Similarity of each long piece to each person. */
  const similarities = pieces.map(({ start, end }, index) => {
    if (end - start < LEAST_FRAMES) return undefined;
    const print = voices.subarray(index * dimensions, (index + 1) * dimensions);
    return means.map((mean) => dotProduct(mean, print));
  });
  const owners = similarities.map((values) => {
    if (!values) return undefined;
    const best = values.indexOf(Math.max(...values));
    const highest = values[best] as number;
    const isClear = values.every((value, at) => at === best || highest - value >= MARGIN);
    return highest >= OWN_SIMILARITY && isClear ? best : undefined;
  });
  const isOther = (piece: number, person: number) => (similarities[piece]?.[person] ?? 1) < OTHER_SIMILARITY;
  const change: DistanceChange = (left, right) => {
    const [one, other] = [owners[left], owners[right]];
    if (one !== undefined && one === other) return -EVIDENCE;
    const areTwo =
      (one !== undefined && (other !== undefined || isOther(right, one))) ||
      (other !== undefined && isOther(left, other));
    return areTwo ? EVIDENCE : 0;
  };
  return { change, ownerOf: (piece) => owners[piece], isOther };
}

/**
 * Restricts the speakers of a frame by known voices. A window has at most three local speakers, so one of them can be two people.
 * @returns a function from a frame and its active clusters, most active first, to the clusters that may talk there. It keeps its position
 *   in the pieces: calls must be in the order of the frames.
 */
export function candidatesBy(
  pieces: readonly FrameRange[],
  labels: Int32Array,
  clusters: readonly VoiceCluster[],
  known: KnownPieces,
): (frame: number, active: number[]) => number[] {
  const people = clusters.map(({ members }) => members.map(known.ownerOf).find((owner) => owner !== undefined));
  if (people.every((person) => person === undefined)) return (_, active) => active;
  let at = 0;
  return (frame, active) => {
    while (at < pieces.length && (pieces[at] as FrameRange).end <= frame) at++;
    const label = labels[at] ?? -1;
    if (label < 0 || frame < (pieces[at] as FrameRange).start) return active;
    const isWrong = (cluster: number) => {
      const person = people[cluster];
      return person !== undefined && known.isOther(at, person);
    };
    const isOwn = known.ownerOf(at) !== undefined;
    if (!isOwn && !active.some(isWrong)) return active;
    return [label, ...active.filter((cluster) => cluster !== label && !isWrong(cluster))];
  };
}

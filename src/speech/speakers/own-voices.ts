// Corrects the speakers of frames by the voices of the pieces. The segmentation sometimes takes two people for one local speaker. All windows
// then assign both to one cluster, but the voices of their pieces differ. Pure.
import type { VoicedPieces } from "./pieces.ts";
import { dotProduct } from "./vectors.ts";

/**
 * Least lead in similarity at which a piece is moved from the cluster that the windows chose to another one. Every value from 0 to 0.2
 * gives the same result on the excerpts.
 */
const LEAST_LEAD = 0.15;

/**
 * @param centroids  of unit length, one for each cluster
 * @returns a function from a frame and its active clusters, most active first, to the same with the piece's own cluster first where its
 *   voice contradicts the first one. It keeps its position in the pieces: calls must be in the order of the frames.
 */
export function candidatesByVoice(
  { pieces, voices, dimensions }: VoicedPieces,
  centroids: readonly ArrayLike<number>[],
): (frame: number, active: number[]) => number[] {
  const similarities = pieces.map((_, index) => {
    const voice = voices.subarray(index * dimensions, (index + 1) * dimensions);
    return centroids.map((centroid) => dotProduct(centroid, voice));
  });
  let at = 0;
  return (frame, active) => {
    while (at < pieces.length && (pieces[at]?.end ?? 0) <= frame) at++;
    const [first] = active;
    const piece = pieces[at];
    if (first === undefined || piece === undefined || frame < piece.start) return active;
    const own = similarities[at] ?? [];
    const best = own.indexOf(Math.max(...own));
    if ((own[best] ?? 0) - (own[first] ?? 0) <= LEAST_LEAD) return active;
    return [best, ...active.filter((cluster) => cluster !== best)];
  };
}

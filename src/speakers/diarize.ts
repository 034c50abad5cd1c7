// Embeddings → a speaker for each. The constants were found on the recordings of `npm run bench:speakers`.
import { cluster, clustersOf, joinNearest, labelsOf, type Points } from "./clustering.ts";
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";
import { resegment } from "./resegmentation.ts";

/** What the client says of the number of speakers; hints, not promises. */
export interface SpeakerHints {
  minimum: number;
  maximum: number;
}

/** More than sit round one table; a hint may ask for more. */
const MOST_SPEAKERS = 12;
/** Joining two pieces of one voice mostly costs less, two voices more. */
const THRESHOLD = 1_000;
/** Clusters beyond the number hinted at: odd sounds that would otherwise pass for somebody. */
const SPARE_CLUSTERS = 4;
/** From where a speaker needs much evidence to where a little is enough: the first that finds as many as hinted at. */
const SPEAKER_SCALES = [20, 10, 5];
/** Half a minute of speech; with more of it, what parts two speakers must weigh more. */
const USUAL_WINDOWS = 120;
const RESEGMENTATION = { acousticScale: 0.2, stay: 0.97, iterations: 15 };

/** @param config  diarization_config of a request */
export function speakerHints(config: {
  number_of_speakers?: number;
  min_speakers?: number;
  max_speakers?: number;
}): SpeakerHints {
  const { number_of_speakers: number, min_speakers = 0, max_speakers = 0 } = config;
  if (number !== undefined) return { minimum: number, maximum: number };
  const minimum = Math.max(1, min_speakers);
  return { minimum, maximum: max_speakers > 0 ? max_speakers : Math.max(MOST_SPEAKERS, minimum) };
}

function centred({ rows, dimensions }: Points): Points {
  const mean = new Float64Array(dimensions);
  for (const [at, value] of rows.entries()) mean[at % dimensions] = (mean[at % dimensions] as number) + value;
  const count = rows.length / dimensions;
  return { rows: rows.map((value, at) => value - (mean[at % dimensions] as number) / count), dimensions };
}

/** @returns a speaker for each embedding; the numbers mean nothing but same or different */
export function diarize(embeddings: SpeakerEmbeddings, space: SpeakerSpace, hints: SpeakerHints): Int32Array {
  if (embeddings.times.length === 0) return new Int32Array();
  const points = centred({ rows: embeddings.rows, dimensions: space.dimensions });
  const { minimum, maximum } = hints;
  // One voice wanders: the longer it speaks, the more it looks like two.
  const patience = Math.sqrt(Math.max(1, embeddings.times.length / USUAL_WINDOWS));
  const spare = maximum < MOST_SPEAKERS ? SPARE_CLUSTERS : 0;
  const clusters = cluster(points, { threshold: THRESHOLD * patience, minimum, maximum: maximum + spare });
  const guess = labelsOf(clusters, embeddings.times.length);
  let labels = guess;
  for (const speakerScale of SPEAKER_SCALES) {
    labels = resegment(points, space, guess, { ...RESEGMENTATION, speakerScale: speakerScale * patience });
    if (new Set(labels).size >= minimum) break;
  }
  const speakers = clustersOf(points, labels);
  // Whoever is nearest is joined until no more are left than there may be.
  return labelsOf(joinNearest(speakers, { threshold: 0, minimum: maximum, maximum }), labels.length);
}

// Assigns a speaker to each embedding. The constants were found on the recordings of `npm run bench -- speakers`.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import { cluster, clustersOf, joinNearest, labelsOf, type Points } from "./clustering.ts";
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";
import { resegment } from "./resegmentation.ts";

/** The client's hints on the number of speakers; not guarantees. */
export interface SpeakerHints {
  minimum: number;
  maximum: number;
}

/** Default maximum; a hint may be higher. */
const MOST_SPEAKERS = 12;
/** Ward cost above which clusters are not merged. Two clusters of one voice usually cost less, those of two voices more. */
const THRESHOLD = 1_000;
/** Clusters allowed beyond the hint, for sounds that would otherwise count as a speaker. */
const SPARE_CLUSTERS = 4;
/** Weights of the speaker prior, from high to low: the first with at least the hinted number of speakers is used. */
const SPEAKER_SCALES = [20, 10, 5];
/** Half a minute of speech; with more speech, separating two speakers requires more evidence. */
const USUAL_WINDOWS = 120;
const RESEGMENTATION = { acousticScale: 0.2, stay: 0.97, iterations: 15 };

/** diarization_config of a request. */
export type SpeakerCounts = NonNullable<AddonParameters["diarization_config"]>;

/** @param config  diarization_config of a request */
export function speakerHints(config: SpeakerCounts): SpeakerHints {
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

/** @returns a speaker label per embedding; labels only distinguish speakers */
export function diarize(embeddings: SpeakerEmbeddings, space: SpeakerSpace, hints: SpeakerHints): Int32Array {
  if (embeddings.times.length === 0) return new Int32Array();
  const points = centred({ rows: embeddings.rows, dimensions: space.dimensions });
  const { minimum, maximum } = hints;
  // With more speech, the embeddings of one voice spread more and resemble those of two voices.
  const lengthFactor = Math.sqrt(Math.max(1, embeddings.times.length / USUAL_WINDOWS));
  const spare = maximum < MOST_SPEAKERS ? SPARE_CLUSTERS : 0;
  const clusters = cluster(points, { threshold: THRESHOLD * lengthFactor, minimum, maximum: maximum + spare });
  const guess = labelsOf(clusters, embeddings.times.length);
  let labels = guess;
  for (const speakerScale of SPEAKER_SCALES) {
    labels = resegment(points, space, guess, { ...RESEGMENTATION, speakerScale: speakerScale * lengthFactor });
    if (new Set(labels).size >= minimum) break;
  }
  const speakers = clustersOf(points, labels);
  // Merges the nearest speakers until their number is within the maximum.
  return labelsOf(joinNearest(speakers, { threshold: 0, minimum: maximum, maximum }), labels.length);
}

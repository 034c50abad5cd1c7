// Speaker embeddings from the recogniser's own encoder: means of an early layer, projected to the dimensions in which
// speakers differ most.

import type {
  EmbeddingRequest,
  SpeakerEmbedder,
  SpeakerEmbeddings,
  SpeakerSegmentation,
} from "../../speakers/embedder.ts";
import { poolWindows } from "../../speakers/pooling.ts";
import { SHORTEST_SAMPLES } from "./config.ts";
import { EarlyLayers } from "./early-layers.ts";
import { INPUT_SIZE, MOONSHINE_SPACE, PROJECTION, SCALES } from "./projection.ts";

/** Word times are tight; a margin around them belongs to the voice. */
const PADDING_SECONDS = 0.1;

/** Basic segmentation: words are assumed to have a single speaker. Does not detect overlapping speech. */
const wordSegmentation: SpeakerSegmentation = {
  speech: async ({ words }) =>
    words.map(({ start, end }) => ({ start: start - PADDING_SECONDS, end: end + PADDING_SECONDS })),
};

/** The learned projection, row-major [dimensions, INPUT_SIZE]. */
function readProjection(): Float32Array {
  const bytes = Buffer.from(PROJECTION.join(""), "base64");
  return Float32Array.from(bytes, (_, at) => bytes.readInt8(at) * (SCALES[Math.floor(at / INPUT_SIZE)] as number));
}

function project(projection: Float32Array, means: Float32Array): Float32Array {
  const { dimensions } = MOONSHINE_SPACE;
  const windows = means.length / INPUT_SIZE;
  const rows = new Float32Array(windows * dimensions);
  for (let window = 0; window < windows; window++) {
    for (let dimension = 0; dimension < dimensions; dimension++) {
      let sum = 0;
      for (let at = 0; at < INPUT_SIZE; at++) {
        sum += (projection[dimension * INPUT_SIZE + at] as number) * (means[window * INPUT_SIZE + at] as number);
      }
      rows[window * dimensions + dimension] = sum;
    }
  }
  return rows;
}

export async function loadMoonshineEmbedder(): Promise<SpeakerEmbedder> {
  const layers = await EarlyLayers.load();
  const projection = readProjection();
  return {
    space: MOONSHINE_SPACE,
    async embed(request: EmbeddingRequest): Promise<SpeakerEmbeddings> {
      const { samples, samplesStart, from, to } = request;
      const speech = await wordSegmentation.speech(request);
      if (samples.length < SHORTEST_SAMPLES || speech.length === 0) {
        return { times: new Float32Array(), rows: new Float32Array() };
      }
      const { times, means } = poolWindows(await layers.frames(samples, samplesStart), speech, from, to);
      return { times: Float32Array.from(times), rows: project(projection, means) };
    },
    close: () => layers.release(),
  };
}

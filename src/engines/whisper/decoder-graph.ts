// Whisper's decoder as a graph of our own: any number of tokens after any number before them. The cross-attention of the
// heads that follow the speech comes out beside the logits (word times).
import { ELEMENT, floatAttribute, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { cacheNames, crossNames, type WhisperConfig } from "./config.ts";
import { affine, feedForward, mixIn, normalise, type Place, queryKeyValue } from "./layers.ts";
import { BLOCK, blockProduct, inBlocks, MIDDLE, type Precision, type Weights } from "./linear.ts";
import type { WeightReader } from "./weights.ts";

export const ATTENTION = "attention";
/** Of [1, heads, tokens, frames]. */
const FRAME_AXIS = 3;

/** [1, tokens, size] → [1, heads, tokens, headSize] */
function inHeads(graph: GraphBuilder, input: string, heads: number, headSize: number): string {
  graph.add("Reshape", [input, graph.integers(1, -1, heads, headSize)], `${input}.split`);
  return graph.add("Transpose", [`${input}.split`], `${input}.heads`, [integersAttribute("perm", [0, 2, 1, 3])]);
}

async function selfAttention(place: Place, config: WhisperConfig, number: number, input: string): Promise<string> {
  const { graph, weights, name, tensor } = place;
  const { hiddenSize: size, decoderHeads } = config;
  const heard = await normalise({ graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` }, input, size);
  const attention = await weights.attention(tensor, size, size / decoderHeads);
  const [query, key, value] = await queryKeyValue(place, heard, attention);
  graph.addMany(
    "MultiHeadAttention",
    [query, key, value, "", "", "", `past.${number}.key`, `past.${number}.value`],
    [`${name}.attended`, `present.${number}.key`, `present.${number}.value`],
    [integerAttribute("num_heads", decoderHeads), floatAttribute("scale", 1), integerAttribute("unidirectional", 1)],
    MICROSOFT,
  );
  return mixIn(place, input, `${name}.attended`, attention);
}

/** @param heads  of this layer, whose rows `attention.N` holds */
async function crossAttention(
  place: Place,
  config: WhisperConfig,
  { number, input, heads }: { number: number; input: string; heads: readonly number[] },
): Promise<string> {
  const { graph, weights, name, tensor } = place;
  const { hiddenSize: size, decoderHeads } = config;
  const heard = await normalise({ graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` }, input, size);
  const attention = await weights.attention(tensor, size, size / decoderHeads);
  const flat = await affine({ ...place, name: `${name}.query` }, heard, attention.query, attention.queryBias);
  const query = inHeads(graph, flat, decoderHeads, size / decoderHeads);
  const turned = [integerAttribute("transB", 1)];
  graph.add("FusedMatMul", [query, `cross.${number}.key`], `${name}.scores`, turned, MICROSOFT);
  const rows = graph.add("Softmax", [`${name}.scores`], `${name}.rows`, [integerAttribute("axis", FRAME_AXIS)]);
  if (heads.length > 0) {
    graph.add("Gather", [rows, graph.integers(...heads)], `attention.${number}`, [integerAttribute("axis", 1)]);
  }
  graph.add("MatMul", [rows, `cross.${number}.value`], `${name}.attended.heads`);
  graph.add("Transpose", [`${name}.attended.heads`], `${name}.attended.split`, [
    integersAttribute("perm", [0, 2, 1, 3]),
  ]);
  graph.add("Reshape", [`${name}.attended.split`, graph.integers(1, -1, size)], `${name}.attended`);
  return mixIn(place, input, `${name}.attended`, attention);
}

interface Vocabulary {
  quantized: string;
  scales: string;
}

async function vocabularyBlocks(graph: GraphBuilder, name: string, weights: Weights): Promise<Vocabulary> {
  const blocks = inBlocks(weights);
  const perRow = weights.inputs / BLOCK;
  return {
    quantized: await graph.constant(`${name}.quantized`, [weights.outputs, perRow, BLOCK], blocks.quantized),
    scales: await graph.constant(`${name}.scales`, [weights.outputs, perRow], blocks.scales),
  };
}

/** Rows of the vocabulary for tokens, and their positions: [1, tokens, size]. */
async function embed(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  { quantized, scales }: Vocabulary,
): Promise<string> {
  const { hiddenSize: size, mostTokens } = config;
  graph.add("Gather", [quantized, "tokens"], "embedded.quantized");
  graph.add("Cast", ["embedded.quantized"], "embedded.float", [integerAttribute("to", ELEMENT.float)]);
  graph.add("Sub", ["embedded.float", graph.scalar(MIDDLE)], "embedded.centred");
  graph.add("Gather", [scales, "tokens"], "embedded.scales");
  graph.add("Unsqueeze", ["embedded.scales", graph.integers(-1)], "embedded.scales.each");
  graph.add("Mul", ["embedded.centred", "embedded.scales.each"], "embedded.blocks");
  graph.add("Reshape", ["embedded.blocks", graph.integers(1, -1, size)], "embedded");
  const positions = await weights.read("model.decoder.embed_positions.weight", [mostTokens, size]);
  await graph.constant("places", [mostTokens, size], positions);
  graph.add("Gather", ["places", "positions"], "placed");
  return graph.add("Add", ["embedded", "placed"], "begun");
}

const isSame = (left: Float32Array, right: Float32Array) => left.every((value, at) => value === right[at]);

/** Most checkpoints project to the vocabulary with the rows that embed it. */
async function projection(
  graph: GraphBuilder,
  weights: WeightReader,
  embedding: Weights,
  shared: Vocabulary,
): Promise<Vocabulary> {
  if (!weights.has("proj_out.weight")) return shared;
  const own = await weights.matrix("proj_out", embedding.outputs, embedding.inputs);
  return isSame(own.values, embedding.values) ? shared : vocabularyBlocks(graph, "projection", own);
}

/**
 * Inputs: tokens [1, tokens], positions [tokens], past.N.* [1, heads, past, headSize], cross.N.*. Outputs: logits
 * [1, tokens, vocabularySize], present.N.* of all tokens, attention [1, heads that follow the speech, tokens, frames], or
 * their sum [1, tokens, frames] where they are known.
 */
export async function writeDecoder(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  {
    precision,
    heads,
    areHeadsKnown,
  }: { precision: Precision; heads: readonly [number, number][]; areHeadsKnown: boolean },
  progress: (share: number) => void,
): Promise<void> {
  const { hiddenSize: size, decoderLayers, decoderHeads, decoderFeedForward, vocabularySize } = config;
  const headSize = size / decoderHeads;
  graph.input("tokens", ELEMENT.int64, [1, "tokens"]);
  graph.input("positions", ELEMENT.int64, ["tokens"]);
  for (const name of cacheNames(config, "past")) graph.input(name, ELEMENT.float, [1, decoderHeads, "past", headSize]);
  for (const name of crossNames(config)) graph.input(name, ELEMENT.float, [1, decoderHeads, "frames", headSize]);

  const embedding = await weights.matrix("model.decoder.embed_tokens", vocabularySize, size);
  const vocabulary = await vocabularyBlocks(graph, "vocabulary", embedding);
  const projected = await projection(graph, weights, embedding, vocabulary);
  let last = await embed(graph, config, weights, vocabulary);

  const chosen: string[] = [];
  for (let number = 0; number < decoderLayers; number++) {
    const own = heads.filter(([layer]) => layer === number).map(([, head]) => head);
    if (own.length > 0) chosen.push(`attention.${number}`);
    const tensor = `model.decoder.layers.${number}`;
    const place = (name: string, part: string): Place => ({
      graph,
      weights,
      precision,
      name: `layer.${number}.${name}`,
      tensor: `${tensor}${part}`,
    });
    last = await selfAttention(place("self", ".self_attn"), config, number, last);
    last = await crossAttention(place("cross", ".encoder_attn"), config, { number, input: last, heads: own });
    last = await feedForward(place("forward", ""), last, size, decoderFeedForward);
    progress((number + 1) / (decoderLayers + 1));
  }
  const hidden = await normalise({ graph, weights, name: "hidden", tensor: "model.decoder.layer_norm" }, last, size);
  blockProduct(graph, hidden, { ...projected, outputs: vocabularySize, inputs: size }, "logits");
  graph.add("Concat", chosen, areHeadsKnown ? "attention.all" : ATTENTION, [integerAttribute("axis", 1)]);
  if (areHeadsKnown) {
    graph.add("ReduceSum", ["attention.all", graph.integers(1)], ATTENTION, [integerAttribute("keepdims", 0)]);
  }
  graph.output("logits", [1, "tokens", vocabularySize]);
  graph.output(ATTENTION, areHeadsKnown ? [1, "tokens", "frames"] : [1, heads.length, "tokens", "frames"]);
  for (const name of cacheNames(config, "present")) graph.output(name, [1, decoderHeads, "present", headSize]);
  progress(1);
}

// Tests whether the processor multiplies 8-bit integers exactly: x86 processors without VNNI add pairs of products in
// 16 bits, which saturate. Multiplies the largest possible values.

import { ELEMENT, GRAPH, initializer, modelHeader, node, tensorValue, writeModel } from "./graph.ts";
import { bytesField } from "./protobuf.ts";
import * as ort from "./runtime.ts";
import { ONE_THREAD } from "./session-options.ts";

const LENGTH = 64;
const [UNSIGNED, SIGNED] = [255, 127];

let answer: Promise<boolean> | undefined;

async function multiply(): Promise<boolean> {
  const graph = writeModel(modelHeader(10, { "": 17 }), [
    node("MatMulInteger", ["left", "right"], ["product"]),
    bytesField(GRAPH.name, "largest"),
    initializer("right", ELEMENT.int8, [LENGTH, LENGTH], new Uint8Array(LENGTH * LENGTH).fill(SIGNED)),
    tensorValue("input", "left", ELEMENT.uint8, [LENGTH, LENGTH]),
    tensorValue("output", "product", ELEMENT.int32, [LENGTH, LENGTH]),
  ]);
  const session = await ort.InferenceSession.create(graph, ONE_THREAD);
  const left = new ort.Tensor("uint8", new Uint8Array(LENGTH * LENGTH).fill(UNSIGNED), [LENGTH, LENGTH]);
  const { product } = await session.run({ left });
  await session.release();
  return ((product as ort.Tensor).data as Int32Array).every((value) => value === LENGTH * UNSIGNED * SIGNED);
}

export function multipliesIntegersExactly(): Promise<boolean> {
  answer ??= multiply();
  return answer;
}

// Integer LSTM layers compute nearly what the published ones do, and models without such layers stay as they are.
import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { ELEMENT, integerAttribute, textAttribute } from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import { InferenceSession, Tensor } from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { withIntegerLstm } from "./integer-lstm.ts";

const [STEPS, INPUTS, UNITS, DIRECTIONS] = [20, 6, 8, 2] as const;

async function model(layers: boolean): Promise<Uint8Array> {
  const next = randomOf(5);
  const random = (length: number) => Float32Array.from({ length }, () => next() - 0.5);
  const graph = new GraphBuilder("layers");
  graph.input("x", ELEMENT.float, [STEPS, "N", INPUTS]);
  if (!layers) {
    graph.output("y", [STEPS, "N", INPUTS]);
    graph.add("Tanh", ["x"], "y");
    return graph.build("portable");
  }
  graph.output("y", [STEPS, DIRECTIONS, "N", UNITS]);
  const gates = 4 * UNITS;
  await graph.constant("w", [DIRECTIONS, gates, INPUTS], random(DIRECTIONS * gates * INPUTS));
  await graph.constant("r", [DIRECTIONS, gates, UNITS], random(DIRECTIONS * gates * UNITS));
  await graph.constant("b", [DIRECTIONS, 2 * gates], random(DIRECTIONS * 2 * gates));
  const attributes = [textAttribute("direction", "bidirectional"), integerAttribute("hidden_size", UNITS)];
  graph.add("LSTM", ["x", "w", "r", "b"], "y", attributes);
  return graph.build("portable");
}

async function outputOf(bytes: Uint8Array, x: Float32Array, count: number): Promise<Float32Array> {
  const session = await InferenceSession.create(bytes, ONE_THREAD);
  const { y } = await session.run({ x: new Tensor("float32", x, [STEPS, count, INPUTS]) });
  const values = Float32Array.from(y?.data as Float32Array);
  await session.release();
  return values;
}

test("integer layers compute nearly the same, for one sequence and for two", async () => {
  const published = await model(true);
  const integer = withIntegerLstm(published);
  expect(integer).not.toBe(published);
  const next = randomOf(11);
  for (const count of [1, 2]) {
    const x = Float32Array.from({ length: STEPS * count * INPUTS }, () => 2 * next() - 1);
    const [wanted, found] = [await outputOf(published, x, count), await outputOf(integer, x, count)];
    const worst = wanted.reduce((most, value, at) => Math.max(most, Math.abs(value - (found[at] as number))), 0);
    expect(worst).toBeLessThan(0.02);
    // The outputs are not all nearly zero.
    expect(Math.max(...wanted.map(Math.abs))).toBeGreaterThan(0.2);
  }
});

test("a model without such layers stays as it is, and what is no model is refused", async () => {
  const plain = await model(false);
  expect(withIntegerLstm(plain)).toBe(plain);
  expect(() => withIntegerLstm(Buffer.from("no model"))).toThrow();
});

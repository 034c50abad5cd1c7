import { expect, test } from "vitest";
import { ELEMENT } from "./graph.ts";
import { GraphBuilder } from "./graph-builder.ts";
import * as ort from "./runtime.ts";
import { float16Tensor, floatsOf } from "./tensors.ts";

// Only the runtime reads the element type: a new version of Node or of onnxruntime-node can refuse the data.
test("the runtime reads float16, and writes it to memory that is provided", async () => {
  const graph = new GraphBuilder("precisions");
  graph.input("small", ELEMENT.float16, ["n"]);
  graph.output(graph.cast("small", ELEMENT.float, "small.float32"), ["n"]);
  graph.input("large", ELEMENT.float, ["n"]);
  graph.output(graph.cast("large", ELEMENT.float16, "rounded"), ["n"], ELEMENT.float16);
  const session = await ort.InferenceSession.create(graph.build());
  // 1, -2 and 65,504, the largest one
  const bits = Uint16Array.of(0x3c00, 0xc000, 0x7bff);
  const floats = Float32Array.of(1, -2, 65_504);
  const memory = new Uint16Array(8).fill(0xffff);
  const output = await session.run(
    { small: float16Tensor(bits, [3]), large: new ort.Tensor("float32", floats, [3]) },
    { "small.float32": null, rounded: float16Tensor(memory.subarray(2, 5), [3]) },
  );
  await session.release();
  expect(floatsOf(output["small.float32"])).toEqual(floats);
  expect([...memory]).toEqual([0xffff, 0xffff, ...bits, 0xffff, 0xffff, 0xffff]);
});

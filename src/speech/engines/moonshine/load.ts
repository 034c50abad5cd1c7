// Loads a Moonshine model as a recogniser.

import { preparedGraphs } from "../../onnx/prepared-graphs.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { SecondModel } from "../../recognition/decoding/ensemble.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import type { LoadOptions } from "../engine.ts";
import { BASE, type MoonshineVariant, TINY, WEIGHTS_PACKAGE } from "./config.ts";
import { MoonshineModel } from "./model.ts";

/** Tiny is the second model of base. */
export async function loadMoonshine(
  variant: MoonshineVariant,
  { detector, sharedFolder, prepareGraphs }: LoadOptions = {},
): Promise<Recognizer> {
  const origin = { module: import.meta.url, packages: [WEIGHTS_PACKAGE] };
  const graphs = sharedFolder === undefined ? undefined : await preparedGraphs(sharedFolder, origin, prepareGraphs);
  const model = await MoonshineModel.load(variant, { graphs });
  const secondModel =
    variant === BASE ? new SecondModel(model, () => MoonshineModel.load(TINY, { batchSize: 1, graphs })) : undefined;
  return new AttentionRecognizer(model, secondModel, detector);
}

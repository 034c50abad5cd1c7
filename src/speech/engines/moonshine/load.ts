// Loads a Moonshine model as a recogniser.

import { MAXIMUM_BATCH } from "../../onnx/decoder-tensor-names.ts";
import { preparedGraphs } from "../../onnx/prepared-graphs.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { SecondModel } from "../../recognition/decoding/ensemble.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import type { LoadOptions } from "../engine.ts";
import { BASE, type MoonshineVariant, TINY, WEIGHTS_PACKAGE } from "./config.ts";
import { MoonshineModel } from "./model.ts";

const ORIGIN = { module: import.meta.url, packages: [WEIGHTS_PACKAGE] };

/** Saves the graphs that loadMoonshine opens; those of base first, because a process is ready when it has them. */
export async function prepareMoonshine(variant: MoonshineVariant, folder: string): Promise<void> {
  const graphs = await preparedGraphs(folder, ORIGIN);
  await MoonshineModel.prepare(variant, MAXIMUM_BATCH, graphs);
  if (variant === BASE) await MoonshineModel.prepare(TINY, 1, graphs);
}

/** Tiny is the second model of base. */
export async function loadMoonshine(
  variant: MoonshineVariant,
  { detector, sharedFolder, prepareGraphs }: LoadOptions = {},
): Promise<Recognizer> {
  const graphs = sharedFolder === undefined ? undefined : await preparedGraphs(sharedFolder, ORIGIN, prepareGraphs);
  const model = await MoonshineModel.load(variant, { graphs });
  const secondModel =
    variant === BASE ? new SecondModel(model, () => MoonshineModel.load(TINY, { batchSize: 1, graphs })) : undefined;
  return new AttentionRecognizer(model, secondModel, detector);
}

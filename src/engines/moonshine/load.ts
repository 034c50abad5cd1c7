// A Moonshine model as a recogniser.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { SecondModel } from "../../recognition/decoding/second-opinion.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import { BASE, type MoonshineVariant, TINY } from "./config.ts";
import { MoonshineModel } from "./model.ts";

/** Where the larger one is unsure, the smaller one is asked. */
export async function loadMoonshine(variant: MoonshineVariant): Promise<Recognizer> {
  const model = await MoonshineModel.load(variant);
  const adviser = variant === BASE ? new SecondModel(model, () => MoonshineModel.load(TINY, 1)) : undefined;
  return new AttentionRecognizer(model, adviser);
}

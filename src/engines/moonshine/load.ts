// Loads a Moonshine model as a recogniser.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { SecondModel } from "../../recognition/decoding/ensemble.ts";
import type { VoiceActivity } from "../../recognition/decoding/speech-evidence.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import { BASE, type MoonshineVariant, TINY } from "./config.ts";
import { MoonshineModel } from "./model.ts";

/** Tiny is the second model of base. */
export async function loadMoonshine(variant: MoonshineVariant, detector?: VoiceActivity): Promise<Recognizer> {
  const model = await MoonshineModel.load(variant);
  const secondModel = variant === BASE ? new SecondModel(model, () => MoonshineModel.load(TINY, 1)) : undefined;
  return new AttentionRecognizer(model, secondModel, detector);
}

// Moonshine: English speech recognition and speaker embeddings, with the weights of an npm package.
import type { Engine, Model } from "../engine.ts";
import { BASE, type MoonshineVariant, TINY } from "./config.ts";

const VARIANTS: readonly MoonshineVariant[] = [BASE, TINY];

function modelOf({ id }: MoonshineVariant): Model {
  return {
    id,
    engine: "moonshine",
    languages: ["en"],
    capabilities: {
      wordTimes: true,
      confidence: true,
      continuation: true,
      vocabulary: true,
      bearsPauses: false,
      languageDetection: false,
      translation: false,
    },
    licence: "MIT",
  };
}

export const moonshine: Engine = {
  name: "moonshine",
  concurrentTasks: 8,
  continuesAudio: true,
  builtIn: VARIANTS.map(modelOf),
  async load({ id }, options) {
    const variant = VARIANTS.find((candidate) => candidate.id === id);
    if (!variant) throw new Error(`Moonshine has no model ${id}`);
    return (await import("./load.ts")).loadMoonshine(variant, options);
  },
  async loadVoices() {
    return (await import("./voices.ts")).loadMoonshineEmbedder();
  },
};

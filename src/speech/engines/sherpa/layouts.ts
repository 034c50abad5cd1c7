// Known layouts of published models: their files, and the configuration of sherpa-onnx for them. Source:
// https://k2-fsa.github.io/sherpa/onnx/pretrained_models/index.html
import type { RecognizerCapabilities } from "../../recognition/recognizer.ts";

export const TOKENS = "tokens.txt";

export interface Layout {
  name: string;
  /** Part → candidate file names, in order of preference. */
  parts: Readonly<Record<string, readonly string[]>>;
  /** sherpa-onnx's modelConfig. @param files  by part */
  config(files: Readonly<Record<string, string>>): object;
  capabilities: RecognizerCapabilities;
  /** Set if all models of this layout have the same languages. */
  languages?: readonly string[];
}

const CAPABILITIES: RecognizerCapabilities = {
  wordTimes: true,
  confidence: false,
  continuation: false,
  vocabulary: false,
  languageDetection: false,
  bearsPauses: false,
  translation: false,
};

const eightBitFirst = (name: string) => [`${name}.int8.onnx`, `${name}.onnx`];

export const LAYOUTS: readonly Layout[] = [
  {
    name: "nemo-transducer",
    parts: { encoder: eightBitFirst("encoder"), decoder: eightBitFirst("decoder"), joiner: eightBitFirst("joiner") },
    config: (transducer) => ({ transducer, modelType: "nemo_transducer" }),
    capabilities: CAPABILITIES,
  },
  {
    name: "sense-voice",
    parts: { model: eightBitFirst("model") },
    config: ({ model }) => ({ senseVoice: { model, language: "auto", useInverseTextNormalization: 1 } }),
    capabilities: { ...CAPABILITIES, languageDetection: true },
    languages: ["zh", "yue", "ja", "ko", "en"],
  },
  {
    name: "moonshine",
    parts: { encoder: ["encoder_model.onnx"], mergedDecoder: ["decoder_model_merged.onnx"] },
    config: (moonshine) => ({ moonshine }),
    capabilities: { ...CAPABILITIES, wordTimes: false },
    languages: ["en"],
  },
];

/** @returns the first layout whose files all exist */
export async function findLayout(
  has: (file: string) => Promise<boolean>,
): Promise<{ layout: Layout; files: Record<string, string> } | undefined> {
  if (!(await has(TOKENS))) return undefined;
  for (const layout of LAYOUTS) {
    const files: Record<string, string> = {};
    for (const [part, names] of Object.entries(layout.parts)) {
      for (const name of names) {
        if (files[part] === undefined && (await has(name))) files[part] = name;
      }
    }
    if (Object.keys(files).length === Object.keys(layout.parts).length) return { layout, files };
  }
  return undefined;
}

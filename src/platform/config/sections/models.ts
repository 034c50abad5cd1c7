// Which models are used, and where they come from.
import { httpAddress } from "../checks.ts";
import type { Setting } from "../setting.ts";

export const models = {
  model: {
    kind: "text",
    variable: "PARLANCE_MODEL",
    default: "moonshine-base-en",
    why: "Model used when a request names none.",
  },
  multilingualModel: {
    kind: "text",
    variable: "PARLANCE_MULTILINGUAL_MODEL",
    default: "whisper-small",
    why: "Model for languages that `PARLANCE_MODEL` does not support.",
  },
  fetchModels: {
    kind: "switch",
    variable: "PARLANCE_FETCH_MODELS",
    default: true,
    why: "Fetch models when a request first needs them: `PARLANCE_MULTILINGUAL_MODEL`, `PARLANCE_SPEAKER_MODEL`, `PARLANCE_TURN_MODEL`, `PARLANCE_LANGUAGE_MODEL`, translation models. If false, the error names the command that adds the model.",
  },
  keepsEnglish: {
    kind: "switch",
    variable: "PARLANCE_ENGLISH_BY_DEFAULT_MODEL",
    default: true,
    why: "If a multilingual model detects English, `PARLANCE_MODEL` transcribes it.",
  },
  speakerModel: {
    kind: "text",
    variable: "PARLANCE_SPEAKER_MODEL",
    default: "pyannote-campplus",
    why: "Model that finds speakers, fetched when diarization is first requested. If it is missing or this is empty, the less accurate method with the recogniser's encoder is used.",
  },
  turnModel: {
    kind: "text",
    variable: "PARLANCE_TURN_MODEL",
    default: "smart-turn-v3.2",
    why: 'Model that detects the ends of turns in live sessions with `turn_detection.mode: "smart"`, fetched when the first one is created. If it is missing or this is empty, silence ends their utterances.',
  },
  modelsDirectory: {
    kind: "text",
    variable: "PARLANCE_MODELS_DIR",
    default: "",
    why: "Folder of fetched models. Default: `models` in the folder that `PARLANCE_DATA_DIR` names; without that, in the user's cache folder ([models](models.md#files)).",
  },
  modelsUrl: {
    kind: "text",
    variable: "PARLANCE_MODELS_URL",
    isExpert: true,
    default: "https://huggingface.co",
    check: httpAddress,
    why: "Where models are fetched from: the Hugging Face hub or a mirror with the same layout.",
  },
  translationModelsUrl: {
    kind: "text",
    variable: "PARLANCE_TRANSLATION_MODELS_URL",
    isExpert: true,
    default: "https://storage.googleapis.com/moz-fx-translations-data--303e-prod-translations-data",
    check: httpAddress,
    why: "Where translation models are fetched from: Mozilla's public bucket or a mirror with the same layout (`db/models.json` and the files that it names).",
  },
  modelsToken: {
    kind: "text",
    variable: "PARLANCE_MODELS_TOKEN",
    isSecret: true,
    default: "",
    why: "Token for that hub, if it requires one.",
  },
} satisfies Record<string, Setting>;

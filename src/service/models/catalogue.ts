// Models that can be added by their name: where their authors publish them, under which licence, how large they are.
// Sizes and error rates are for choosing; docs/models.md names their sources.

export interface CatalogueEntry {
  id: string;
  engine: "whisper" | "sherpa" | "speaker-networks" | "smart-turn";
  /** Repository on the hub. */
  repository: string;
  /** Where its files are, by the name that its engine reads, if they are in several repositories. */
  files?: Readonly<Record<string, { repository: string; file: string }>>;
  /** SPDX name. */
  licence: string;
  /** What is fetched, about. */
  downloadBytes: number;
  /** Installed, about. */
  installedBytes: number;
  /** ISO 639 codes, or how many of Whisper's languages. */
  languages: readonly string[] | number;
  note: string;
}

const MEGABYTE = 1e6;

/** @param parameters  millions */
function whisper(
  id: string,
  parameters: number,
  note: string,
  options: Partial<Pick<CatalogueEntry, "repository" | "languages" | "downloadBytes">> = {},
): CatalogueEntry {
  const isEnglish = id.endsWith(".en");
  return {
    id,
    engine: "whisper",
    repository: `openai/${id}`,
    licence: "MIT",
    // Published in 32-bit floats; kept in 8 bits.
    downloadBytes: parameters * 4 * MEGABYTE,
    installedBytes: (parameters * 1.05 + 7) * MEGABYTE,
    languages: isEnglish ? ["en"] : 99,
    note,
    ...options,
  };
}

/** Published in 16-bit floats. @param parameters  millions */
function distilled(id: string, parameters: number, note: string): CatalogueEntry {
  const repository = `distil-whisper/${id}`;
  return whisper(id, parameters, note, { repository, languages: ["en"], downloadBytes: parameters * 2 * MEGABYTE });
}

/** The model that finds speakers by default. */
export const SPEAKER_MODEL = "pyannote-campplus";
/** The model that detects the ends of turns by default. */
export const TURN_MODEL = "smart-turn-v3.2";
const TURN_REPOSITORY = "pipecat-ai/smart-turn-v3";
const SEGMENTATION_REPOSITORY = "csukuangfj/sherpa-onnx-pyannote-segmentation-3-0";

export const CATALOGUE: readonly CatalogueEntry[] = [
  whisper("whisper-tiny", 38, "Whisper, smallest"),
  whisper("whisper-tiny.en", 38, "Whisper, smallest, English only"),
  whisper("whisper-base", 73, "Whisper, second smallest"),
  whisper("whisper-base.en", 73, "Whisper, second smallest, English only"),
  whisper("whisper-small", 242, "Whisper; fetched for languages that no installed model supports"),
  whisper("whisper-small.en", 242, "Whisper, English only"),
  whisper("whisper-medium", 764, "Whisper, more exact, three times the work of small"),
  whisper("whisper-medium.en", 764, "Whisper, more exact, English only"),
  whisper("whisper-large-v3", 1543, "Whisper, the most exact", {
    languages: 100,
    downloadBytes: 3087 * MEGABYTE,
  }),
  whisper("whisper-large-v3-turbo", 809, "Whisper large-v3 with four decoder layers: nearly as exact", {
    languages: 100,
    downloadBytes: 1618 * MEGABYTE,
  }),
  distilled("distil-small.en", 166, "Whisper small, distilled, English only"),
  distilled("distil-medium.en", 394, "Whisper medium, distilled, English only"),
  distilled("distil-large-v2", 756, "Whisper large-v2, distilled, English only"),
  distilled("distil-large-v3", 756, "Whisper large-v3, distilled, English only"),
  distilled("distil-large-v3.5", 756, "Whisper large-v3, distilled longer, English only"),
  {
    id: "parakeet-tdt-0.6b-v3",
    engine: "sherpa",
    repository: "csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
    licence: "CC-BY-4.0",
    downloadBytes: 670 * MEGABYTE,
    installedBytes: 670 * MEGABYTE,
    languages: "bg cs da de el en es et fi fr hr hu it lt lv mt nl pl pt ro ru sk sl sv uk".split(" "),
    note: "NVIDIA Parakeet TDT v3: 25 European languages; not measured by us",
  },
  {
    id: "sense-voice-small",
    engine: "sherpa",
    repository: "csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17",
    licence: "LicenseRef-FunASR-Model-License",
    downloadBytes: 240 * MEGABYTE,
    installedBytes: 240 * MEGABYTE,
    languages: ["zh", "yue", "ja", "ko", "en"],
    note: "SenseVoice: Chinese, Cantonese, Japanese, Korean, English; not measured by us",
  },
  {
    id: SPEAKER_MODEL,
    engine: "speaker-networks",
    repository: SEGMENTATION_REPOSITORY,
    files: {
      "segmentation.onnx": { repository: SEGMENTATION_REPOSITORY, file: "model.onnx" },
      "voices.onnx": {
        repository: "csukuangfj/speaker-embedding-models",
        file: "3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx",
      },
    },
    licence: "MIT AND Apache-2.0",
    downloadBytes: 34 * MEGABYTE,
    installedBytes: 34 * MEGABYTE,
    languages: [],
    note: "Speakers: pyannote segmentation 3.0 and 3D-Speaker CAM++; diarization fetches it",
  },
  {
    id: TURN_MODEL,
    engine: "smart-turn",
    repository: TURN_REPOSITORY,
    files: { "smart-turn.onnx": { repository: TURN_REPOSITORY, file: "smart-turn-v3.2-cpu.onnx" } },
    licence: "BSD-2-Clause",
    downloadBytes: 8.7 * MEGABYTE,
    installedBytes: 8.7 * MEGABYTE,
    languages: [],
    note: "Ends of turns: Smart Turn v3.2; live sessions with turn_detection fetch it",
  },
];

export function catalogueEntry(id: string): CatalogueEntry | undefined {
  return CATALOGUE.find((entry) => entry.id === id);
}

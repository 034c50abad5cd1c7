// Language models that can be added by their name: instruction-tuned, with licences that permit every use, in GGUF files of 4 bits.
// docs/models.md names the sources of their authors' scores.

export interface LanguageModelEntry {
  id: string;
  /** Repository on the hub, and the file in it. */
  repository: string;
  file: string;
  /** SPDX name. */
  licence: string;
  /** Billions. */
  parameters: number;
  /** About. */
  downloadBytes: number;
  /** At work with two contexts of 8,192 tokens, about. */
  memoryBytes: number;
  /** Tokens that it was trained on. */
  contextTokens: number;
  /** ISO 639 codes of the languages that its authors name. */
  languages: readonly string[];
  note: string;
}

const MEGABYTE = 1e6;
const GIGABYTE = 1e9;
const QWEN_2_5 = "en zh fr es pt de it ru ja ko vi th ar".split(" ");
const GRANITE_3_3 = "en de es fr ja pt ar cs it ko nl zh".split(" ");

export const DEFAULT_LANGUAGE_MODEL = "qwen2.5-1.5b-instruct";

export const LANGUAGE_MODELS: readonly LanguageModelEntry[] = [
  {
    id: "qwen2.5-0.5b-instruct",
    repository: "Qwen/Qwen2.5-0.5B-Instruct-GGUF",
    file: "qwen2.5-0.5b-instruct-q4_k_m.gguf",
    licence: "Apache-2.0",
    parameters: 0.5,
    downloadBytes: 491 * MEGABYTE,
    memoryBytes: 1.1 * GIGABYTE,
    contextTokens: 32_768,
    languages: QWEN_2_5,
    note: "Qwen2.5, smallest: answers in form, little sense",
  },
  {
    id: DEFAULT_LANGUAGE_MODEL,
    repository: "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
    file: "qwen2.5-1.5b-instruct-q4_k_m.gguf",
    licence: "Apache-2.0",
    parameters: 1.5,
    downloadBytes: 1117 * MEGABYTE,
    memoryBytes: 2 * GIGABYTE,
    contextTokens: 32_768,
    languages: QWEN_2_5,
    note: "Qwen2.5: plain summaries and extraction on two cores",
  },
  {
    id: "smollm2-1.7b-instruct",
    repository: "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
    file: "smollm2-1.7b-instruct-q4_k_m.gguf",
    licence: "Apache-2.0",
    parameters: 1.7,
    downloadBytes: 1056 * MEGABYTE,
    memoryBytes: 4.6 * GIGABYTE,
    contextTokens: 8_192,
    languages: ["en"],
    note: "SmolLM2, English only",
  },
  {
    id: "granite-3.3-2b-instruct",
    repository: "ibm-granite/granite-3.3-2b-instruct-GGUF",
    file: "granite-3.3-2b-instruct-Q4_K_M.gguf",
    licence: "Apache-2.0",
    parameters: 2.5,
    downloadBytes: 1545 * MEGABYTE,
    memoryBytes: 3.3 * GIGABYTE,
    contextTokens: 131_072,
    languages: GRANITE_3_3,
    note: "IBM Granite 3.3: made for summaries and extraction",
  },
  {
    id: "granite-3.3-8b-instruct",
    repository: "ibm-granite/granite-3.3-8b-instruct-GGUF",
    file: "granite-3.3-8b-instruct-Q4_K_M.gguf",
    licence: "Apache-2.0",
    parameters: 8.2,
    downloadBytes: 4943 * MEGABYTE,
    memoryBytes: 8 * GIGABYTE,
    contextTokens: 131_072,
    languages: GRANITE_3_3,
    note: "IBM Granite 3.3, large: the best of these, slow without many cores",
  },
];

export const languageModelEntry = (id: string): LanguageModelEntry | undefined =>
  LANGUAGE_MODELS.find((entry) => entry.id === id);

/** Whether `models add` may find a language model of this name: of the list, of a repository, or a file. */
export const couldBeLanguageModel = (name: string): boolean =>
  languageModelEntry(name) !== undefined || /\.gguf$/i.test(name);

/** A model of the list that was copied by hand, by the name of its file. */
export const languageModelOfFile = (file: string): LanguageModelEntry | undefined =>
  LANGUAGE_MODELS.find((entry) => entry.file.toLowerCase() === file.toLowerCase());

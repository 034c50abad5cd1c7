// Language model and translation server for add-ons.
import { httpAddress } from "../checks.ts";
import type { Setting } from "../setting.ts";

export const providers = {
  languageModel: {
    kind: "text",
    variable: "PARLANCE_LANGUAGE_MODEL",
    default: "",
    why: "Language model of this machine, where PARLANCE_LLM_URL is empty: a name of `npx --no-install parlance models list`, or `hf:OWNER/NAME:FILE.gguf`. No other one is used in its place. Default: an installed one, qwen2.5-1.5b-instruct before the one that was added last; if none is installed, qwen2.5-1.5b-instruct is fetched. Fetched when `audio_to_llm`, `structured_data_extraction`, `action_items`, `questions`, a redaction without rules or a question about a transcript first needs it; summaries and chapters use it once it is installed. `off` uses none.",
  },
  languageModelGpu: {
    kind: "switch",
    variable: "PARLANCE_LANGUAGE_MODEL_GPU",
    default: false,
    why: "Run the language model of this machine on a graphics card where the package for it is installed and the card is found; otherwise on the processor.",
  },
  languageModelUrl: {
    kind: "text",
    variable: "PARLANCE_LLM_URL",
    default: "",
    check: httpAddress,
    why: "OpenAI-compatible server for `audio_to_llm`, extraction, translation and better summaries; its address up to `/v1`. It takes precedence over PARLANCE_LANGUAGE_MODEL.",
  },
  languageModelKey: {
    kind: "text",
    variable: "PARLANCE_LLM_KEY",
    isSecret: true,
    default: "",
    why: "Key for that server, if it requires one.",
  },
  languageModelName: {
    kind: "text",
    variable: "PARLANCE_LLM_MODEL",
    default: "default",
    why: "Name of the model to request from that server.",
  },
  languageModelTimeoutSeconds: {
    kind: "number",
    variable: "PARLANCE_LLM_TIMEOUT_SECONDS",
    unit: "seconds",
    default: 60,
    least: 1,
    most: 3_600,
    integer: false,
    why: "Longest wait for one answer of the language model server or the translation server.",
  },
  languageModelRequests: {
    kind: "number",
    variable: "PARLANCE_LLM_CONCURRENCY",
    isExpert: true,
    unit: "requests",
    default: 16,
    least: 1,
    most: 10_000,
    integer: true,
    why: "Concurrent requests to the language model server or the translation server, for recordings; as many again for live sessions. One account has at most half of them.",
  },
  languageModelTokens: {
    kind: "number",
    variable: "PARLANCE_LLM_MAX_TOKENS",
    isExpert: true,
    unit: "tokens",
    default: 200_000,
    least: 100,
    most: 1e9,
    integer: true,
    why: "Tokens that one add-on of one job may use, questions and answers together.",
  },
  translationUrl: {
    kind: "text",
    variable: "PARLANCE_TRANSLATE_URL",
    default: "",
    check: httpAddress,
    why: "LibreTranslate-compatible server for `translation`.",
  },
  translationKey: {
    kind: "text",
    variable: "PARLANCE_TRANSLATE_KEY",
    isSecret: true,
    default: "",
    why: "Key for that server, if it requires one.",
  },
} satisfies Record<string, Setting>;

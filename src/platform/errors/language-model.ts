// The language model, and the questions that it answers.
import { PARLANCE } from "../command-prefix.ts";
import { megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

export const languageModelErrors = {
  languageModelConfigured: () =>
    new ParlanceError("The language model is set by PARLANCE_LLM_URL; change that setting to use another one", {
      code: "language_model.configured",
      status: 409,
    }),
  languageModelOfOneProcess: () =>
    new ParlanceError(
      "Only this process would use the language model, because PARLANCE_ROLES divides the service into several. Set PARLANCE_LLM_URL and PARLANCE_LLM_MODEL for each of them",
      { code: "language_model.one_process", status: 409 },
    ),
  languageModelMemory: (name: string, needed: number, free: number, cause?: unknown) =>
    new ParlanceError(
      `The language model ${name} needs ${megabytes(needed)} of memory and ${megabytes(free)} are free. Set PARLANCE_LANGUAGE_MODEL to a smaller one (${PARLANCE} models list), or give the service more memory.`,
      { code: "language_model.memory", status: 507, retryable: true, cause },
    ),
  languageModelUnavailable: (platform: string, cause: unknown) =>
    new ParlanceError(
      `Language models need the package @node-llama-cpp/${platform.replace("darwin", "mac").replace("win32", "win")}, which is not installed or does not run here. Run npm ci without --omit=optional on this platform, or set PARLANCE_LLM_URL to a server.`,
      { code: "language_model.unavailable", status: 501, cause },
    ),
  languageModelDamaged: (name: string, cause: unknown) =>
    new ParlanceError(
      `The language model ${name} cannot be loaded: ${cause instanceof Error ? cause.message : "it is damaged"}. Check it: ${PARLANCE} models verify`,
      { code: "language_model.damaged", status: 500, cause },
    ),
  languageModelRemoved: (file: string, cause: unknown) =>
    new ParlanceError(`The language model was removed or cannot be read. Add it again: ${PARLANCE} models add`, {
      code: "language_model.removed",
      status: 501,
      detail: file,
      cause,
    }),
  languageModelTooLong: (needed: number, context: number) =>
    new ParlanceError(
      `The question needs ${needed} tokens with its answer, and the language model has room for ${context}. Shorten the prompt, or use a model with a longer context.`,
      { code: "language_model.too_long", status: 422 },
    ),
  languageModelFailed: (cause: unknown) =>
    new ParlanceError("The language model failed while it wrote an answer", {
      code: "language_model.failed",
      status: 502,
      cause,
    }),
  questionUnavailable: (reason: string) =>
    new ParlanceError(`Not available: ${reason}`, { code: "questions.unavailable", status: 501 }),
  questionFailed: (reason: string) =>
    new ParlanceError(`No answer: ${reason}`, { code: "questions.failed", status: 502 }),
  questionsBusy: (ofAccount: number, ofAll: number) =>
    new ParlanceError(
      `Too many questions wait for an answer (at most ${ofAccount} of one account, ${ofAll} of all); try again later`,
      { code: "questions.busy", status: 503, retryable: true },
    ),
  /** @param sizeBytes  of the download; undefined if they are not known */
  languageModelNotInstalled: (id: string, sizeBytes: number | undefined) =>
    new ParlanceError(
      `The answer needs the language model ${id}, which is not installed. Its download ${
        sizeBytes === undefined ? "" : `of ${megabytes(sizeBytes)} `
      }begins if the question allows it: fetch_model: true`,
      { code: "language_model.not_installed", status: 409 },
    ),
  languageModelOnItsWay: (id: string, how: string, retryAfterSeconds: number) =>
    new ParlanceError(`The language model ${id} is being fetched (${how}); ask again then`, {
      code: "language_model.on_its_way",
      status: 503,
      retryable: true,
      retryAfterSeconds,
    }),
  languageModelBusy: (ofAccount: number, ofAll: number) =>
    new ParlanceError(
      `Too many requests wait for the language model (at most ${ofAccount} of one account, ${ofAll} of all); try again later`,
      { code: "language_model.busy", status: 503, retryable: true },
    ),
};

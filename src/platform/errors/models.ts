// Models of speech: which are installed, how they are added, which languages they recognise.

import { listed } from "../../contract/first-of.ts";
import { PARLANCE } from "../command-prefix.ts";
import { beginningOf } from "../storable.ts";
import { MOST_SHOWN_CHARACTERS, megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

const shortList = (items: readonly string[], most = 12) => listed(items, most);

export const HUB_REMEDY = `Behind a proxy, set HTTPS_PROXY; a mirror with the hub's layout: PARLANCE_MODELS_URL; without a network, copy the checkpoint here and run ${PARLANCE} models add FOLDER`;

export const modelErrors = {
  languageUnavailable: (languages: string[], installed: readonly string[], remedy: string) =>
    new ParlanceError(
      `No installed model recognises ${languages.join(", ")}; installed models support ${shortList(installed)}. ${remedy}`,
      { code: "recognition.language_unavailable", status: 422 },
    ),
  /**
   * @param wasFetched    whether fetching the model was tried
   * @param likelyCauses  sentences about the audio, which may be the cause
   */
  speechNotEnglish: (multilingualModel: string, wasFetched: boolean, likelyCauses: readonly string[] = []) =>
    new ParlanceError(
      "The speech is not in English, and no installed model recognises other languages. " +
        (wasFetched
          ? `The model ${multilingualModel} could not be fetched; the log has the reason. ${HUB_REMEDY}`
          : `Add a model that does: ${PARLANCE} models add ${multilingualModel}. If it is English, name it: language_config.languages ["en"]`) +
        likelyCauses.map((cause) => `. ${cause}`).join(""),
      { code: "recognition.not_english", status: 422 },
    ),
  /** For requests that need the language alone. */
  languageUndetected: (multilingualModel: string) =>
    new ParlanceError(
      `The language cannot be detected: the installed models recognise English alone, and the speech may be in another language. Add a model that detects languages: ${PARLANCE} models add ${multilingualModel}`,
      { code: "recognition.language_undetected", status: 422 },
    ),
  noSpeechToDetect: () =>
    new ParlanceError("The language cannot be detected: no speech was found in the beginning of the recording", {
      code: "recognition.no_speech",
      status: 422,
    }),
  languageOfModel: (model: string, languages: string[], known: readonly string[]) =>
    new ParlanceError(
      `The model ${model} does not know ${languages.join(", ")}, only ${shortList(known)}. ` +
        `Leave model out, or name one that supports it; ${PARLANCE} models list shows them.`,
      { code: "recognition.language_unavailable", status: 422 },
    ),
  modelMissing: (id: string, remedy = `Add it with: ${PARLANCE} models add ${id}`) =>
    new ParlanceError(`The model ${id} is not installed. ${remedy}`, { code: "models.missing", status: 422 }),
  modelNotListed: (base: string, id: string) =>
    new ParlanceError(`${base} fetches ${id}, and does not list it`, { code: "models.missing", status: 404 }),
  modelOnItsWay: (id: string, how: string, retryAfterSeconds: number) =>
    new ParlanceError(
      `The model ${id}, which this language needs, is being fetched (${how}); try again when it is complete`,
      {
        code: "models.on_its_way",
        status: 503,
        retryable: true,
        retryAfterSeconds,
      },
    ),
  /** @param known  names that could stand in its place; without them, the message says how to add a model */
  modelUnknown: (id: string, known?: readonly string[], similar: readonly string[] = []) =>
    new ParlanceError(
      `There is no model "${beginningOf(id, MOST_SHOWN_CHARACTERS)}". ${similar.length > 0 ? `Similar: ${shortList(similar)}. ` : ""}${
        known
          ? `Known names: ${shortList(known, 20)}`
          : `${PARLANCE} models list shows those that can be added by their name; others: hf:OWNER/NAME of a hub, hf:OWNER/NAME:FILE.gguf, a folder, or a GGUF file`
      }`,
      { code: "models.unknown", status: 404 },
    ),
  badCheckpoint: (name: string, reason: string, cause?: unknown) =>
    new ParlanceError(`${name} cannot be used: ${reason}`, { code: "models.bad_checkpoint", status: 422, cause }),
  hubFailed: (address: string, reason: string, cause?: unknown) =>
    new ParlanceError(
      `${address} could not be fetched: ${reason}. What was fetched is kept: repeat the command to resume. ` +
        HUB_REMEDY,
      { code: "models.fetch_failed", status: 424, retryable: true, cause },
    ),
  /** @param reason  why another service could not fetch a model, in its words */
  serviceFetchFailed: (reason: string) => new ParlanceError(reason, { code: "models.fetch_failed", status: 502 }),
  hubRefused: (address: string, status: number) =>
    new ParlanceError(
      `${address} answered ${status}: ${
        status === 401 || status === 403
          ? "it requires a token that may read it; set PARLANCE_MODELS_TOKEN"
          : "there is no such file; is the name right?"
      }`,
      { code: "models.refused", status: status === 401 || status === 403 ? 403 : 404 },
    ),
  hubWithoutHead: (address: string) =>
    new ParlanceError(`${address} does not answer HEAD`, { code: "models.no_head", status: 424 }),
  wrongHash: (file: string) =>
    new ParlanceError(`${file} differs from the file on the hub (SHA-256); it was deleted. Try again.`, {
      code: "models.wrong_hash",
      status: 424,
      retryable: true,
    }),
  noSpace: (needed: number, free: number, folder: string) =>
    new ParlanceError(
      `The model needs ${megabytes(needed)} and the disk of the models has ${megabytes(free)} free. Make room, or set PARLANCE_MODELS_DIR to a folder on another disk.`,
      { code: "models.no_space", status: 507, detail: folder },
    ),
  modelDamaged: (id: string, problems: string[]) =>
    new ParlanceError(
      `The model ${id} is damaged: ${problems.join("; ")}. Run: ${PARLANCE} models remove ${id} && ${PARLANCE} models add ${id}`,
      { code: "models.damaged", status: 500 },
    ),
  modelBuiltIn: (id: string) =>
    new ParlanceError(`The model ${id} comes with the program and cannot be removed`, {
      code: "models.built_in",
      status: 409,
    }),
  modelNameUnusable: (id: string) =>
    new ParlanceError(
      `No model can have the name "${id}"; give it one of small letters, digits, dots, - and _ with --id`,
      { code: "models.bad_name", status: 422 },
    ),
  modelNameTaken: (id: string) =>
    new ParlanceError(`There is a model ${id} already; remove it first, or give this one another name with --id`, {
      code: "models.exists",
      status: 409,
    }),
};

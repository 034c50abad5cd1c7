// The catalogue of everything that can go wrong on purpose. The only error class of the project: foreign errors
// are translated into it at the border where they enter, and one renderer per medium shows it.

import { PARLANCE } from "./command-prefix.ts";
import { beginningOf, storableText } from "./storable.ts";
import { shortageOf } from "./system-shortage.ts";

export interface ErrorDetails {
  /** Stable name, dotted, for logs and tests. */
  code: string;
  /** HTTP status, also a job's error_code. */
  status: number;
  /** Whether the same request can succeed later without being changed. */
  retryable?: boolean;
  /** One sentence per invalid field, each beginning with the field's dotted path. */
  fields?: string[];
  /** Seconds after which to try again. */
  retryAfterSeconds?: number;
  /** For the operator: shown in the log and on the command line, never in an answer. */
  detail?: string;
  cause?: unknown;
}

/** Messages can quote clients and other programs; they are answered, logged and stored in jobs' rows. */
const MOST_MESSAGE_CHARACTERS = 4_000;

/** More sentences help nobody to correct a request, and must not make the answer larger than the request. */
export const MOST_PROBLEMS = 20;
const MOST_SENTENCE_CHARACTERS = 2_000;

/** The first MOST_PROBLEMS sentences, each of bounded length, and the number of the others. */
function boundedProblems(sentences: readonly string[]): string[] {
  const shown = sentences
    .slice(0, MOST_PROBLEMS)
    .map((sentence) => storableText(beginningOf(sentence, MOST_SENTENCE_CHARACTERS)));
  const others = sentences.length - shown.length;
  if (others <= 0) return shown;
  return [...shown, others === 1 ? "1 more problem is not listed" : `${others} more problems are not listed`];
}

export class ParlanceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly fields?: string[];
  readonly retryAfterSeconds?: number;
  readonly detail?: string;

  constructor(message: string, details: ErrorDetails) {
    super(storableText(beginningOf(message, MOST_MESSAGE_CHARACTERS)), { cause: details.cause });
    this.name = "ParlanceError";
    this.code = details.code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    if (details.fields) this.fields = boundedProblems(details.fields);
    if (details.detail !== undefined) this.detail = details.detail;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** `1 (eng, "Commentary", 2 channels)` */
function trackText(track: { number: number; channels: number; language?: string; title?: string }): string {
  const title = track.title === undefined ? undefined : `"${track.title}"`;
  const channels = track.channels === 1 ? "1 channel" : `${track.channels} channels`;
  return `${track.number} (${[track.language, title, channels].filter((part) => part !== undefined).join(", ")})`;
}

const MOST_LISTED_TRACKS = 20;

function listedTracks(tracks: readonly Parameters<typeof trackText>[0][]): string {
  const listed = tracks.slice(0, MOST_LISTED_TRACKS).map(trackText).join("; ");
  const others = tracks.length - MOST_LISTED_TRACKS;
  return others > 0 ? `${listed}; and ${others} more` : listed;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
/** Of a client's own text in a message. */
const MOST_SHOWN_CHARACTERS = 100;
const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

/** The first of many. */
const shortList = (items: readonly string[], most = 12) =>
  items.length <= most ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${items.length - most} others`;

const HUB_REMEDY = `Behind a proxy, set HTTPS_PROXY; a mirror with the hub's layout: PARLANCE_MODELS_URL; without a network, copy the checkpoint here and run ${PARLANCE} models add FOLDER`;

/** An error as the operator reads it. */
export const withDetail = (message: string, detail: string | undefined) =>
  detail === undefined ? message : `${message} (${detail})`;

export const SECRETS_LOCKED = "callbacks.secrets_locked";
const LOG_LOST = "live.log_lost";

/** One factory per error; what was wrong, what was given, what is allowed. */
export const errors = {
  // Requests
  invalidParameters: (fields: string[]) =>
    new ParlanceError("Invalid parameter(s). See validation_errors for more details.", {
      code: "request.invalid",
      status: 400,
      fields,
    }),
  malformedBody: (reason: string, cause?: unknown) =>
    new ParlanceError(`The request body could not be read: ${reason}`, {
      code: "request.malformed",
      status: 400,
      cause,
    }),
  /** What was received is no HTTP request. */
  requestUnreadable: () =>
    new ParlanceError("This is not a valid HTTP/1.1 request", { code: "request.unreadable", status: 400 }),
  headTooLarge: (limitBytes: number) =>
    new ParlanceError(`The request line and headers are larger than the ${limitBytes} bytes allowed`, {
      code: "request.head_too_large",
      status: 431,
    }),
  headTooSlow: (seconds: number) =>
    new ParlanceError(`The request line and headers did not arrive within ${seconds} seconds`, {
      code: "request.head_too_slow",
      status: 408,
      retryable: true,
    }),
  bodyTooSlow: (leastBytes: number, seconds: number) =>
    new ParlanceError(
      `The request body arrives too slowly: at least ${Math.ceil(leastBytes)} bytes every ${seconds} seconds are required`,
      { code: "request.body_too_slow", status: 408, retryable: true },
    ),
  upgradeRefused: (reason: string, status = 400) =>
    new ParlanceError(`The WebSocket cannot be opened: ${reason}`, { code: "live.upgrade_refused", status }),
  headerMalformed: (header: string, rule: string) =>
    new ParlanceError(`The header ${header} ${rule}`, { code: "request.header", status: 400 }),
  notFound: (what: string) => new ParlanceError(`${what} not found`, { code: "request.not_found", status: 404 }),
  noRoute: (method: string, path: string, hint = "") =>
    new ParlanceError(`Cannot ${method} ${path}${hint === "" ? "" : `. ${hint}`}`, {
      code: "request.no_route",
      status: 404,
    }),
  keyMissing: (header: string) =>
    new ParlanceError(`No key was sent. Send it in the header ${header}, or as authorization: Bearer KEY`, {
      code: "account.key_missing",
      status: 401,
    }),
  keyUnknown: () =>
    new ParlanceError("This key is unknown or revoked", {
      code: "account.key_unknown",
      status: 401,
    }),
  notOwnPage: () =>
    new ParlanceError(
      "The request comes from a page of another origin. Only pages of this service and of PARLANCE_CORS_ORIGINS may send requests without a key in a header; only the console may sign in",
      { code: "request.other_page", status: 403 },
    ),
  foreignHost: (host: string) =>
    new ParlanceError(
      `The host ${JSON.stringify(host.slice(0, MOST_SHOWN_CHARACTERS))} is not one of this service. Set PARLANCE_PUBLIC_URL or PARLANCE_ALLOWED_HOSTS to the name under which it is reached, or send a key in a header`,
      { code: "request.foreign_host", status: 403 },
    ),
  badHost: () =>
    new ParlanceError("The Host header must name a host, with or without a port; or set PARLANCE_PUBLIC_URL", {
      code: "request.bad_host",
      status: 400,
    }),
  tooManyGuesses: (retryAfterSeconds: number) =>
    new ParlanceError(
      `Too many wrong keys were sent from this address or network; wait ${Math.ceil(retryAfterSeconds)} seconds. Keys that were right before are still accepted.`,
      {
        code: "account.too_many_guesses",
        status: 429,
        retryable: true,
        retryAfterSeconds: Math.ceil(retryAfterSeconds),
      },
    ),
  fileInUse: () =>
    new ParlanceError("A job that has not ended needs this file. Wait for its end, or delete the job", {
      code: "file.in_use",
      status: 403,
    }),
  jobNotFinished: (status: string) =>
    new ParlanceError(
      `The job is ${status}; only a job that is done or failed can be deleted. Add ?cancel=true to cancel it first.`,
      { code: "job.not_finished", status: 403 },
    ),
  noTranscript: (status: string) =>
    new ParlanceError(
      status === "done"
        ? "The transcript of this job is gone: it was older than results are kept"
        : `The job is ${status}; there is a transcript once it is done`,
      { code: "job.no_transcript", status: 409, retryable: status === "queued" || status === "processing" },
    ),
  notOperator: () =>
    new ParlanceError("Only keys of the default account may read or change what belongs to the whole service", {
      code: "account.not_operator",
      status: 403,
    }),
  languageModelConfigured: () =>
    new ParlanceError("The language model is set by PARLANCE_LLM_URL; change that setting to use another one", {
      code: "language_model.configured",
      status: 409,
    }),
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
  bodyTooLarge: (limitBytes: number) =>
    new ParlanceError(`The body is larger than the ${megabytes(limitBytes)} allowed`, {
      code: "request.too_large",
      status: 413,
    }),
  wrongContentType: (given: string, allowed: string) =>
    new ParlanceError(`Content type ${given || "(none)"} is not supported here; send ${allowed}`, {
      code: "request.content_type",
      status: 415,
    }),
  /** @param encoding  content-encoding of a request's body */
  bodyCompressed: (encoding: string) =>
    new ParlanceError(
      `The body is compressed (content-encoding ${beginningOf(encoding, MOST_SHOWN_CHARACTERS)}), which is not supported; send it uncompressed`,
      { code: "request.content_encoding", status: 415 },
    ),
  formTooLarge: (reason: string) =>
    new ParlanceError(`The form is too large: ${reason}`, { code: "request.too_large", status: 413 }),
  unknownFile: () =>
    new ParlanceError("audio_url names an uploaded file that does not exist; upload it again", {
      code: "file.unknown",
      status: 422,
    }),
  languageUnavailable: (languages: string[], installed: readonly string[], remedy: string) =>
    new ParlanceError(
      `No installed model recognises ${languages.join(", ")}; installed models support ${shortList(installed)}. ${remedy}`,
      { code: "recognition.language_unavailable", status: 422 },
    ),
  /** @param wasFetched  whether fetching the model was tried */
  speechNotEnglish: (multilingualModel: string, wasFetched: boolean) =>
    new ParlanceError(
      "The speech is not in English, and no installed model recognises other languages. " +
        (wasFetched
          ? `The model ${multilingualModel} could not be fetched; the log has the reason. ${HUB_REMEDY}`
          : `Add a model that does: ${PARLANCE} models add ${multilingualModel}. If it is English, name it: language_config.languages ["en"]`),
      { code: "recognition.not_english", status: 422 },
    ),
  languageOfModel: (model: string, languages: string[], known: readonly string[]) =>
    new ParlanceError(
      `The model ${model} does not know ${languages.join(", ")}, only ${shortList(known)}. ` +
        `Leave model out, or name one that supports it; ${PARLANCE} models list shows them.`,
      { code: "recognition.language_unavailable", status: 422 },
    ),
  modelMissing: (id: string, remedy = `Add it with: ${PARLANCE} models add ${id}`) =>
    new ParlanceError(`The model ${id} is not installed. ${remedy}`, { code: "models.missing", status: 422 }),
  /** @param thrown  what its fetch ended with: it names addresses and folders of the operator's */
  modelNotFetched: (id: string, thrown: unknown) => {
    const { code, message, detail } = toParlanceError(thrown);
    if (code === "models.missing") return errors.modelMissing(id);
    return new ParlanceError(
      `The model ${id} is not installed. It could not be fetched; the log has the reason. ${HUB_REMEDY}`,
      { code: "models.missing", status: 422, detail: withDetail(message, detail), cause: thrown },
    );
  },
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

  // Models
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
  storageExhausted: (cause: unknown) =>
    new ParlanceError(
      "There is no room left on the disk, or it can take no more files (df -h, df -i). Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room; the service resumes automatically.",
      { code: "storage.full", status: 507, retryable: true, retryAfterSeconds: 60, cause },
    ),
  storageFull: (free: number, reserve: number, folder: string) =>
    new ParlanceError(
      `There is no room left on the disk of the service's data: ${megabytes(free)} are free${reserve > 0 ? `, ${megabytes(reserve)} are kept back` : ""}. ` +
        "Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room on that disk; requests are accepted again as soon as there is room.",
      { code: "storage.full", status: 507, retryable: true, retryAfterSeconds: 60, detail: folder },
    ),
  resourcesExhausted: (cause: unknown) =>
    new ParlanceError(
      "The machine has no more file descriptors, memory or processes for this service; try again in a moment. Where it happens often, raise the limits (ulimit -n, ulimit -u, the container's memory)",
      { code: "system.exhausted", status: 503, retryable: true, retryAfterSeconds: 5, cause },
    ),
  storageUnavailable: (cause: unknown) =>
    new ParlanceError("The store of recordings and transcripts does not answer; try again in a moment", {
      code: "storage.unavailable",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
      cause,
    }),
  databaseUnavailable: (cause: unknown) =>
    new ParlanceError("The database does not answer; try again in a moment", {
      code: "database.unavailable",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
      cause,
    }),
  secretsLocked: () =>
    new ParlanceError(
      "The callback secret of this account cannot be opened, so its callbacks wait. The operator must set the PARLANCE_SECRETS_KEY that sealed it; if that key is lost, make a new secret with POST /v2/account/callback-secret",
      { code: SECRETS_LOCKED, status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  /** @param reason  what the database said; it can quote the value */
  valueNotStorable: (reason: string, cause: unknown) =>
    new ParlanceError(`A value of this request cannot be stored: ${beginningOf(reason, 200)}`, {
      code: "database.value",
      status: 400,
      cause,
    }),
  databaseNotFound: (address: string, cause: unknown) =>
    new ParlanceError(`PostgreSQL at ${address} does not answer: ${(cause as Error).message}. Check DATABASE_URL`, {
      code: "database.unavailable",
      status: 503,
      retryable: true,
      cause,
    }),
  /** @param reason  a sentence for the operator, without secrets */
  databaseRefused: (reason: string, cause?: unknown) =>
    new ParlanceError(`The database cannot be used. ${reason}`, { code: "database.refused", status: 500, cause }),
  databaseNewer: (version: string, own: string, migration: string) =>
    new ParlanceError(
      `The database belongs to Parlance ${version}, and this is ${own}, which cannot use it (it lacks the migration ${migration}). Nothing was changed. ` +
        `Install ${version} again; or restore the backup that was made before the upgrade: docs/operating.md, "Upgrade"`,
      { code: "database.newer", status: 500 },
    ),
  databaseEncoding: (encoding: string) =>
    new ParlanceError(
      `The PostgreSQL database has the encoding ${encoding}; transcripts need UTF8. Make one with: create database parlance encoding 'UTF8' template template0`,
      { code: "database.encoding", status: 500 },
    ),
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
  tooManyQueuedJobs: (limit: number) =>
    new ParlanceError(`${limit} jobs of this account are already waiting`, {
      code: "limit.queued_jobs",
      status: 429,
      retryable: true,
      retryAfterSeconds: 30,
    }),
  tooManyRequests: (perSecond: number, retryAfterSeconds: number) =>
    new ParlanceError(`This account may send ${perSecond} requests a second`, {
      code: "limit.requests",
      status: 429,
      retryable: true,
      retryAfterSeconds: Math.ceil(retryAfterSeconds),
    }),
  notReady: (reason: string) =>
    new ParlanceError(`The service cannot take requests: ${reason}`, {
      code: "service.not_ready",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  rangeNotSatisfiable: (size: number) =>
    new ParlanceError(`The requested range lies outside of the file's ${size} bytes`, {
      code: "request.range",
      status: 416,
    }),

  // Live
  tooManySessions: (limit: number, whose = "") =>
    new ParlanceError(`${limit} live sessions${whose} run already`, {
      code: "limit.live_sessions",
      status: 429,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  overloaded: () =>
    new ParlanceError("The machine has no capacity for further live speech; try again in a moment", {
      code: "service.overloaded",
      status: 503,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  /** Another process took the session over, or it was deleted: this one must not store or send anything for it. */
  logLost: () => new ParlanceError("This process no longer owns the live session", { code: LOG_LOST, status: 409 }),
  liveSessionUnused: () =>
    new ParlanceError("No client connected to the session before its token expired", {
      code: "live.unused",
      status: 408,
    }),
  liveAudioUnreadable: (reason: string) =>
    new ParlanceError(`The audio of the live session cannot be read: ${reason}`, {
      code: "live.audio_unreadable",
      status: 400,
    }),
  liveSessionFailed: () =>
    new ParlanceError("The service failed on this session; its log has the reason", {
      code: "live.failed",
      status: 500,
    }),

  // Fetching
  addressNotAllowed: (reason: string) =>
    new ParlanceError(`The address is not allowed: ${reason}`, { code: "fetch.address_not_allowed", status: 403 }),
  remoteUnauthorized: () =>
    new ParlanceError(
      "audio_url cannot be fetched without signing in: its host answered 401. Check the user name and password in the address, use one that carries its permission, such as a signed one, or upload the file",
      { code: "fetch.unauthorized", status: 401 },
    ),
  remoteForbidden: () =>
    new ParlanceError(
      "audio_url must not be fetched: its host answered 403. The file is private, or the address has expired; sign it again, or upload the file",
      { code: "fetch.forbidden", status: 403 },
    ),
  remoteNotFound: () =>
    new ParlanceError("Nothing to fetch at audio_url: its host answered 404. Check the address", {
      code: "fetch.not_found",
      status: 404,
    }),
  remoteGone: () =>
    new ParlanceError("The file at audio_url was removed for good: its host answered 410", {
      code: "fetch.gone",
      status: 410,
    }),
  remoteRateLimited: (retryAfterSeconds?: number) =>
    new ParlanceError(
      `The host of audio_url currently refuses further requests: it answered 429${
        retryAfterSeconds === undefined ? "" : ` and requests a pause of ${Math.ceil(retryAfterSeconds)} s`
      }`,
      {
        code: "fetch.rate_limited",
        status: 429,
        retryable: true,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      },
    ),
  /** @param isPassing  whether the same fetch may succeed a moment later */
  remoteFailed: (
    reason: string,
    cause?: unknown,
    { isPassing = true, retryAfterSeconds }: { isPassing?: boolean; retryAfterSeconds?: number | undefined } = {},
  ) =>
    new ParlanceError(`audio_url could not be fetched: ${reason}`, {
      code: "fetch.failed",
      status: 424,
      retryable: isPassing,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      cause,
    }),
  /** @param last  error of the last attempt */
  fetchGivenUp: (last: ParlanceError, attempts: number) => {
    const { code, status, message, retryAfterSeconds } = last;
    const tried = attempts === 1 ? "after 1 attempt" : `after ${attempts} attempts`;
    const pause =
      retryAfterSeconds === undefined
        ? ""
        : `; the pause of ${retryAfterSeconds} s that it requests is too long to wait`;
    return new ParlanceError(`${message} (given up ${tried}${pause})`, { code, status, cause: last });
  },
  /** @param error  what the fetch for an upload failed with: its status must not be taken for this service's own refusal */
  uploadNotFetched: ({ code, message, cause }: ParlanceError) =>
    new ParlanceError(message, { code, status: 424, cause }),
  receiverFailed: (reason: string, cause?: unknown) =>
    new ParlanceError(`The callback could not be sent: ${reason}`, {
      code: "callback.failed",
      status: 424,
      retryable: true,
      cause,
    }),
  fileTooLarge: (limitBytes: number) =>
    new ParlanceError(`The file is larger than the ${megabytes(limitBytes)} allowed`, {
      code: "file.too_large",
      status: 413,
    }),

  // Media
  notDecodable: (reason: string) =>
    new ParlanceError(`The file cannot be decoded as audio or video: ${reason}`, {
      code: "media.not_decodable",
      status: 400,
    }),
  encrypted: (scheme: string) =>
    new ParlanceError(
      `The file's audio is encrypted (${scheme}). Use a recording without copy protection, or decrypt the file before sending it`,
      { code: "media.encrypted", status: 400 },
    ),
  emptyFile: () => new ParlanceError("The file is empty: it holds no bytes", { code: "media.empty", status: 400 }),
  noAudioTrack: () => new ParlanceError("The file holds no audio track", { code: "media.no_audio_track", status: 400 }),
  noSuchTrack: (
    requested: number,
    tracks: readonly { number: number; channels: number; language?: string; title?: string }[],
  ) =>
    new ParlanceError(
      `audio_track is ${requested}, but the file has ${tracks.length === 1 ? "1 audio track" : `${tracks.length} audio tracks`}: ${listedTracks(tracks)}`,
      { code: "media.no_such_track", status: 400 },
    ),
  noAudio: () => new ParlanceError("The file's audio track holds no samples", { code: "media.no_audio", status: 400 }),
  audioTooLong: (limitSeconds: number) =>
    new ParlanceError(`The audio is longer than the ${minutes(limitSeconds)} allowed`, {
      code: "media.too_long",
      status: 413,
    }),
  decodingTooSlow: (spent: number, decoded: number) =>
    new ParlanceError(
      `Decoding was stopped after ${Math.round(spent)} s: only ${Math.round(decoded)} s of the file's audio were decoded by then`,
      {
        code: "media.time_limit",
        status: 400,
      },
    ),

  decodersBusy: () =>
    new ParlanceError("Too many uploaded files wait to be read; try again in a moment", {
      code: "decode.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  transcriptsBusy: () =>
    new ParlanceError("Too many transcripts wait to be written; try again in a moment", {
      code: "transcripts.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  fetchesBusy: () =>
    new ParlanceError("Too many addresses of this account wait to be fetched; try again in a moment", {
      code: "fetch.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 15,
    }),

  outputExists: (file: string) =>
    new ParlanceError(
      `${file} exists already and was not written by this call. It stays as it is; --force replaces it`,
      { code: "file.exists", status: 409 },
    ),

  // Processes and jobs
  processDied: (name: string, how: string, detail?: string) =>
    new ParlanceError(`The ${name} process ended unexpectedly (${how})`, {
      code: "process.died",
      status: 500,
      retryable: true,
      ...(detail === undefined ? {} : { detail }),
    }),
  processBystander: (name: string) =>
    new ParlanceError(`The ${name} process ended while it processed another task`, {
      code: "process.bystander",
      status: 500,
      retryable: true,
    }),
  processTimeout: (name: string, milliseconds: number) =>
    new ParlanceError(`The ${name} process did not answer within ${Math.round(milliseconds / 1000)} s`, {
      code: "process.timeout",
      status: 500,
      retryable: true,
    }),
  processNotStarted: (name: string, reason: string) =>
    new ParlanceError(`The ${name} process could not be started: ${reason}`, {
      code: "process.timeout",
      status: 500,
      retryable: true,
    }),
  /** @param detail  what it failed with: foreign text */
  processFailed: (name: string, detail: string) =>
    new ParlanceError(`The ${name} process failed; the log has the reason`, {
      code: "process.failed",
      status: 500,
      detail,
    }),
  recognitionQueueFull: () =>
    new ParlanceError("The recogniser's queue is full", {
      code: "recognition.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  jobFillsDisk: () =>
    new ParlanceError(
      "This recording takes more room on the disk while it is transcribed than is free there: 115 MB an hour and channel. Make room, or send it in parts.",
      { code: "job.fills_disk", status: 507 },
    ),
  jobPoisoned: (stage: string, lastTime: string) =>
    new ParlanceError(
      `This recording ended its worker process three times in the stage "${stage}" and has failed. The last time: ${lastTime}. The file may be damaged.`,
      { code: "job.poisoned", status: 500 },
    ),
  /** @param line  or the last one of a batch of up to 500 */
  exportDamaged: (file: string, line: number, reason: string) =>
    new ParlanceError(
      `${file} cannot be imported at or shortly before line ${line}: ${reason}. Run the export again, then the import; lines imported before are kept`,
      { code: "transfer.damaged", status: 400 },
    ),
  tooManyKeys: (most: number) =>
    new ParlanceError(`This account has reached its limit of ${most} keys; revoke one first`, {
      code: "limit.keys",
      status: 409,
    }),
  tooManyCorrections: (most: number, mostCharacters: number) =>
    new ParlanceError(
      `This transcript has reached the limit of corrections: ${most}, undone ones included, with ${mostCharacters} characters together`,
      { code: "limit.corrections", status: 409 },
    ),
  transcriptChanged: (expected: number, version: number) =>
    new ParlanceError(
      `The transcript was corrected meanwhile: the change was made for version ${expected}, and version ${version} is current. Read the corrections again, then send the change with the current version`,
      { code: "correction.outdated", status: 409 },
    ),
  // Voices
  voicesOff: () =>
    new ParlanceError(
      'The library of voices of this account is off. Voice prints are biometric data: turn it on with PUT /v2/voices/settings and {"enabled": true}',
      { code: "voices.off", status: 409 },
    ),
  voicesNeedKey: () =>
    new ParlanceError(
      "Voices are stored only encrypted, and this service has no key for that. The operator must set PARLANCE_SECRETS_KEY",
      { code: "voices.no_key", status: 409 },
    ),
  voicesLocked: () =>
    new ParlanceError(
      'The voices of this account cannot be opened. The operator must set the PARLANCE_SECRETS_KEY that sealed them; if that key is lost, delete them with PUT /v2/voices/settings and {"enabled": false, "delete_voices": true}',
      { code: "voices.locked", status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  voicesStored: (count: number) =>
    new ParlanceError(
      `The library has ${count} voices, which turning it off deletes. Send delete_voices: true to do so`,
      { code: "voices.stored", status: 409 },
    ),
  voiceNameTaken: (name: string) =>
    new ParlanceError(`There is a voice named ${name} already; add a sample to it, or choose another name`, {
      code: "voices.name_taken",
      status: 409,
    }),
  tooManyVoices: (most: number) =>
    new ParlanceError(`This account has ${most} voices, as many as it may have; delete one first`, {
      code: "limit.voices",
      status: 409,
    }),
  tooManyVoiceSamples: (most: number) =>
    new ParlanceError(`A voice has at most ${most} samples`, { code: "limit.voice_samples", status: 409 }),
  /** @param reason  continues "The recording cannot be used: " */
  voiceRefused: (reason: string) =>
    new ParlanceError(`The recording cannot be used as the voice of a person: ${reason}`, {
      code: "voices.refused",
      status: 422,
    }),
  voicesNeedModel: (model: string) =>
    new ParlanceError(
      model === ""
        ? "Voices need a speaker model, and PARLANCE_SPEAKER_MODEL names none"
        : `Voices need the speaker model ${model}, which is not installed and could not be fetched`,
      { code: "voices.no_model", status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  voiceAudioGone: () =>
    new ParlanceError("The recording of this job was deleted; send a recording of the person instead", {
      code: "voices.audio_gone",
      status: 409,
    }),
  exportNotWhole: (folder: string) =>
    new ParlanceError(`${folder} is not a complete export; run ${PARLANCE} export ${folder} again to resume it`, {
      code: "transfer.not_whole",
      status: 400,
    }),
  importIntoUsed: (account: string) =>
    new ParlanceError(
      `The database already contains jobs (account ${account}); import needs an empty database, or one in which it was interrupted`,
      { code: "transfer.used", status: 409 },
    ),
  unknownAccount: (name: string) =>
    new ParlanceError(`There is no account ${name}; make it with: ${PARLANCE} accounts create ${name}`, {
      code: "account.unknown",
      status: 404,
    }),
  badAccountName: (name: string) =>
    new ParlanceError(`An account's name has 1 to 100 letters, digits, dots, @, - or _; it is "${name}"`, {
      code: "account.bad_name",
      status: 400,
    }),
  badKeyName: (reason: string) =>
    new ParlanceError(`A key's name ${reason}`, { code: "account.bad_key_name", status: 400 }),
  accountExists: (name: string) =>
    new ParlanceError(`There is an account ${name} already`, { code: "account.exists", status: 409 }),
  accountBeingDeleted: (name: string) =>
    new ParlanceError(
      `The account ${name} is being deleted; ${PARLANCE} accounts list shows it until nothing of it is left`,
      {
        code: "account.being_deleted",
        status: 409,
      },
    ),
  defaultAccountStays: () =>
    new ParlanceError("The default account cannot be deleted: it is the operator's own; revoke its keys instead", {
      code: "account.is_default",
      status: 409,
    }),
  unknownKey: (id: string) =>
    new ParlanceError(`There is no key ${id} that could be revoked; ${PARLANCE} keys list shows their ids`, {
      code: "account.no_such_key",
      status: 404,
    }),
  redactionUnavailable: (reason: string) =>
    new ParlanceError(`${reason}. The unredacted text is not returned`, {
      code: "redaction.unavailable",
      status: 422,
    }),
  jobInterrupted: () =>
    new ParlanceError("This job was interrupted repeatedly without progress and has failed", {
      code: "job.interrupted",
      status: 500,
    }),
  jobNotEnded: () =>
    new ParlanceError("The service could not store the end of this job; its log has the reason", {
      code: "job.not_ended",
      status: 500,
    }),
  aborted: () => new ParlanceError("The work was stopped", { code: "work.aborted", status: 503, retryable: true }),
  internal: (cause: unknown) =>
    new ParlanceError("Something went wrong on our side; the log has the reason under this request id", {
      code: "internal",
      status: 500,
      cause,
    }),

  // Data folder and start
  /** @param note  what the lock file says of its holder */
  folderInUse: (folder: string, { processId, host, since }: { processId?: number; host?: string; since?: string }) =>
    new ParlanceError(
      `The data folder ${folder} is in use by ${processId === undefined ? "another process" : `process ${processId}`}` +
        `${host === undefined ? "" : ` on ${host}`}${since === undefined ? "" : ` since ${since}`}. ` +
        "Stop that one, or set PARLANCE_DATA_DIR to another folder.",
      { code: "storage.folder_in_use", status: 500 },
    ),
  locksUnsupported: (folder: string, reason: string) =>
    new ParlanceError(
      `The file system of the data folder ${folder} has no file locks (${reason}). Without them two services could damage the same data. ` +
        "Set PARLANCE_DATA_DIR to a folder on a local disk, or mount this one with locks.",
      { code: "storage.locks_unsupported", status: 500 },
    ),
  folderUnusable: (folder: string, cause: unknown) =>
    new ParlanceError(
      `The data folder ${folder} cannot be used: ${(cause as Error).message}. Check its owner, its rights and its disk, or set PARLANCE_DATA_DIR to another folder.`,
      { code: "storage.folder_unusable", status: 500, cause },
    ),
  noDatabase: (folder: string) =>
    new ParlanceError(
      `There is no database in the data folder ${folder}. Run the command in the folder in which the service runs, or set PARLANCE_DATA_DIR (or DATABASE_URL) as for the service. For a new service, start it first: ${PARLANCE} serve`,
      { code: "storage.no_database", status: 404 },
    ),
  folderTakenOver: (folder: string) =>
    new ParlanceError(
      `A newer process uses the data folder ${folder}, or a copy of it: this process has stopped at once and has written nothing more. ` +
        "Run one service per data folder; a copy of a data folder must not use the same database.",
      { code: "storage.taken_over", status: 500 },
    ),
  /** @param place  the store as the settings name it */
  otherStore: (place: string) =>
    new ParlanceError(
      `The recordings and transcripts of this database are in another object store than ${place}. ` +
        "Processes that share a database must share the store, too: set the same PARLANCE_S3_BUCKET and PARLANCE_S3_PREFIX for all of them, or give this one a database of its own (DATABASE_URL). " +
        `If you moved the objects here, run: ${PARLANCE} store adopt`,
      { code: "storage.other_store", status: 500 },
    ),
  databaseDamaged: (folder: string, reason: string, cause?: unknown) =>
    new ParlanceError(
      `The embedded database in ${folder} is damaged: ${reason}. Recordings and transcripts in the data folder were not changed. ` +
        `Keep a copy of the data folder, then restore the database of a backup: ${PARLANCE} restore FOLDER --database-only --replace`,
      { code: "database.damaged", status: 500, cause },
    ),
  backupOfServer: () =>
    new ParlanceError(
      "parlance backup is for the embedded database. Back up PostgreSQL with pg_dump, and then copy the folder objects or the bucket.",
      { code: "backup.of_server", status: 400 },
    ),
  backupRunning: () =>
    new ParlanceError("A backup is being written already; wait until it is complete", {
      code: "backup.running",
      status: 409,
    }),
  backupFailed: (message: string) =>
    new ParlanceError(`The backup was not written. ${message}`, { code: "backup.failed", status: 500 }),
  badBackupTarget: (folder: string, reason: string) =>
    new ParlanceError(
      `The backup cannot be written to ${folder}: it ${reason}. Name a new folder outside of the data folder.`,
      {
        code: "backup.bad_target",
        status: 400,
      },
    ),
  notABackup: (folder: string, reason: string) =>
    new ParlanceError(
      `${folder} is not a complete backup: ${reason}. Name a folder that parlance backup has written.`,
      {
        code: "restore.not_a_backup",
        status: 400,
      },
    ),
  restoreOccupied: (folder: string, names: readonly string[]) =>
    new ParlanceError(
      `The data folder ${folder} already has ${names.join(" and ")}. Set PARLANCE_DATA_DIR to a new folder, or add --replace, which moves them aside.`,
      { code: "restore.occupied", status: 400 },
    ),
  restoreNoRoom: (folder: string, needed: number, free: number) =>
    new ParlanceError(
      `The backup takes ${megabytes(needed)}, and ${folder} has ${megabytes(free)} free. Make room first.`,
      {
        code: "storage.full",
        status: 507,
      },
    ),
  resultDamaged: (kind: string, hasRecording: boolean) =>
    new ParlanceError(
      `The stored transcript of this job is damaged and cannot be made again${kind === "live" ? " from a live session" : ""}. ` +
        (hasRecording
          ? "Its recording is there: download it and submit it as a new job."
          : "Its recording is missing or damaged."),
      { code: "job.result_damaged", status: 500 },
    ),
  resultRemade: () =>
    new ParlanceError(
      "The stored transcript of this job was damaged; the job is transcribed again. Try again once it is done",
      {
        code: "job.result_remade",
        status: 503,
        retryable: true,
        retryAfterSeconds: 10,
      },
    ),
  recordingDamaged: (found: number, expected: number) =>
    new ParlanceError(
      `The stored recording is damaged: it has ${found} of ${expected} bytes. Restore it from a backup, or upload it again.`,
      { code: "storage.recording_damaged", status: 500 },
    ),
  cannotListen: (where: string, reason: string, cause: unknown) =>
    new ParlanceError(`The service cannot listen on ${where}: ${reason}.`, {
      code: "service.cannot_listen",
      status: 500,
      cause,
    }),
  invalidSettings: (problems: string[]) =>
    new ParlanceError(`The configuration cannot be used:\n${problems.map((line) => `  - ${line}`).join("\n")}`, {
      code: "settings.invalid",
      status: 500,
    }),
};

/** Whatever was thrown, as an error of the catalogue. */
export function toParlanceError(thrown: unknown): ParlanceError {
  return thrown instanceof ParlanceError ? thrown : (shortageError(thrown) ?? errors.internal(thrown));
}

/** The error of the catalogue for a shortage of the system; undefined for any other error. */
export function shortageError(thrown: unknown): ParlanceError | undefined {
  switch (shortageOf(thrown)) {
    case "room":
      return errors.storageExhausted(thrown);
    case "resources":
      return errors.resourcesExhausted(thrown);
    default:
      return undefined;
  }
}

/** Whether another process took a live session over, or it was deleted. */
export const isLogLost = (thrown: unknown): boolean => thrown instanceof ParlanceError && thrown.code === LOG_LOST;

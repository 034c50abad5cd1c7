// The catalogue of everything that can go wrong on purpose. The only error class of the project: foreign errors
// are translated into it at the border where they enter, and one renderer per medium shows it.

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
  cause?: unknown;
}

export class ParlanceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly fields?: string[];
  readonly retryAfterSeconds?: number;

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause });
    this.name = "ParlanceError";
    this.code = details.code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    if (details.fields) this.fields = details.fields;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

/** The first of many. */
const shortList = (items: readonly string[], most = 12) =>
  items.length <= most ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${items.length - most} others`;

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
  notFound: (what: string) => new ParlanceError(`${what} not found`, { code: "request.not_found", status: 404 }),
  noRoute: (method: string, path: string) =>
    new ParlanceError(`Cannot ${method} ${path}`, { code: "request.no_route", status: 404 }),
  keyMissing: (header: string) =>
    new ParlanceError(`no gladia key provided: send your key in the ${header} header`, {
      code: "account.key_missing",
      status: 401,
    }),
  keyUnknown: () =>
    new ParlanceError("gladia user not found: this key is unknown or revoked", {
      code: "account.key_unknown",
      status: 401,
    }),
  notOwnPage: () =>
    new ParlanceError("Only the console of this service may sign in here", {
      code: "request.other_page",
      status: 403,
    }),
  tooManyGuesses: (retryAfterSeconds: number) =>
    new ParlanceError(
      `Too many wrong keys came from your address; wait ${retryAfterSeconds} seconds. Keys that were right before are taken all the while.`,
      { code: "account.too_many_guesses", status: 429, retryable: true, retryAfterSeconds },
    ),
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
    new ParlanceError("Only keys of the default account may change what belongs to the whole service", {
      code: "account.not_operator",
      status: 403,
    }),
  languageModelConfigured: () =>
    new ParlanceError("The language model is set by PARLANCE_LLM_URL; change that setting to use another one", {
      code: "language_model.configured",
      status: 409,
    }),
  bodyTooLarge: (limitBytes: number) =>
    new ParlanceError(`The body is larger than the ${megabytes(limitBytes)} allowed`, {
      code: "request.too_large",
      status: 413,
    }),
  wrongContentType: (given: string, allowed: string) =>
    new ParlanceError(`Content type ${given || "(none)"} cannot be read here; send ${allowed}`, {
      code: "request.content_type",
      status: 415,
    }),
  unknownFile: () =>
    new ParlanceError("audio_url names an uploaded file that does not exist; upload it again", {
      code: "file.unknown",
      status: 422,
    }),
  languageUnavailable: (languages: string[], installed: readonly string[], remedy: string) =>
    new ParlanceError(
      `No installed model recognises ${languages.join(", ")}; installed models know ${shortList(installed)}. ${remedy}`,
      { code: "recognition.language_unavailable", status: 422 },
    ),
  languageOfModel: (model: string, languages: string[], known: readonly string[]) =>
    new ParlanceError(
      `The model ${model} does not know ${languages.join(", ")}, only ${shortList(known)}. ` +
        "Leave model out, or name one that knows it; npx parlance models list shows them.",
      { code: "recognition.language_unavailable", status: 422 },
    ),
  modelMissing: (id: string, remedy = `Add it with: npx parlance models add ${id}`) =>
    new ParlanceError(`The model ${id} is not installed. ${remedy}`, { code: "models.missing", status: 422 }),
  /** @param thrown  what its fetch ended with */
  modelNotFetched: (id: string, thrown: unknown) => {
    const { code, message } = toParlanceError(thrown);
    return errors.modelMissing(id, code === "models.missing" ? undefined : `It could not be fetched: ${message}`);
  },
  modelOnItsWay: (id: string, how: string, retryAfterSeconds: number) =>
    new ParlanceError(`The model ${id}, which this language needs, is being fetched (${how}); try again then`, {
      code: "models.on_its_way",
      status: 503,
      retryable: true,
      retryAfterSeconds,
    }),

  // Models
  modelUnknown: (id: string) =>
    new ParlanceError(
      `There is no model ${id}. npx parlance models list shows those that can be added by their name; others: hf:OWNER/NAME of a hub, or a folder`,
      { code: "models.unknown", status: 404 },
    ),
  badCheckpoint: (name: string, reason: string, cause?: unknown) =>
    new ParlanceError(`${name} cannot be used: ${reason}`, { code: "models.bad_checkpoint", status: 422, cause }),
  hubFailed: (address: string, reason: string, cause?: unknown) =>
    new ParlanceError(
      `${address} could not be fetched: ${reason}. What was fetched is kept: the same command goes on there. ` +
        "Behind a proxy, set HTTPS_PROXY; a mirror with the hub's layout: PARLANCE_MODELS_URL; without a network, copy the checkpoint here and run npx parlance models add FOLDER",
      { code: "models.fetch_failed", status: 424, retryable: true, cause },
    ),
  hubRefused: (address: string, status: number) =>
    new ParlanceError(
      `${address} answered ${status}: ${
        status === 401 || status === 403
          ? "it wants a token that may read it; set PARLANCE_MODELS_TOKEN"
          : "there is no such file; is the name right?"
      }`,
      { code: "models.refused", status: status === 401 || status === 403 ? 403 : 404 },
    ),
  hubWithoutHead: (address: string) =>
    new ParlanceError(`${address} does not answer HEAD`, { code: "models.no_head", status: 424 }),
  wrongHash: (file: string) =>
    new ParlanceError(`${file} is not what the hub says it is (its SHA-256 differs); it was thrown away. Try again.`, {
      code: "models.wrong_hash",
      status: 424,
      retryable: true,
    }),
  storageFull: (free: number, reserve: number, folder: string) =>
    new ParlanceError(
      `There is no room left where ${folder} lies: ${megabytes(free)} are free${reserve > 0 ? `, ${megabytes(reserve)} are kept back` : ""}. ` +
        "Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room on that disk; the service accepts again by itself.",
      { code: "storage.full", status: 507, retryable: true, retryAfterSeconds: 60 },
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
  databaseNotFound: (address: string, cause: unknown) =>
    new ParlanceError(`PostgreSQL at ${address} does not answer: ${(cause as Error).message}. Check DATABASE_URL`, {
      code: "database.unavailable",
      status: 503,
      retryable: true,
      cause,
    }),
  noSpace: (needed: number, free: number, folder: string) =>
    new ParlanceError(
      `The model needs ${megabytes(needed)} and ${folder} has ${megabytes(free)} free. Make room, or set PARLANCE_MODELS_DIR to a folder on another disk.`,
      { code: "models.no_space", status: 507 },
    ),
  modelDamaged: (id: string, problems: string[]) =>
    new ParlanceError(
      `The model ${id} is damaged: ${problems.join("; ")}. Run: npx parlance models remove ${id} && npx parlance models add ${id}`,
      { code: "models.damaged", status: 500 },
    ),
  modelBuiltIn: (id: string) =>
    new ParlanceError(`The model ${id} comes with the program and cannot be removed`, {
      code: "models.built_in",
      status: 409,
    }),
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
    new ParlanceError("The machine has as much live speech as it can follow; try again soon", {
      code: "service.overloaded",
      status: 503,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  liveSessionUnused: () =>
    new ParlanceError("Nobody connected to the session before its token expired", {
      code: "live.unused",
      status: 408,
    }),
  liveSessionFailed: () =>
    new ParlanceError("The service failed on this session; its log has the reason", {
      code: "live.failed",
      status: 500,
    }),

  // Fetching
  addressNotAllowed: (reason: string) =>
    new ParlanceError(`The address is not allowed: ${reason}`, { code: "fetch.address_not_allowed", status: 403 }),
  remoteNotFound: (status: number) =>
    new ParlanceError(`Nothing to fetch at audio_url: its host answered ${status}`, {
      code: "fetch.not_found",
      status: 404,
    }),
  remoteFailed: (reason: string, cause?: unknown) =>
    new ParlanceError(`audio_url could not be fetched: ${reason}`, {
      code: "fetch.failed",
      status: 424,
      retryable: true,
      cause,
    }),
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
  emptyFile: () => new ParlanceError("The file is empty: it holds no bytes", { code: "media.empty", status: 400 }),
  noAudioTrack: () => new ParlanceError("The file holds no audio track", { code: "media.no_audio_track", status: 400 }),
  noAudio: () => new ParlanceError("The file's audio track holds no samples", { code: "media.no_audio", status: 400 }),
  audioTooLong: (limitSeconds: number) =>
    new ParlanceError(`The audio is longer than the ${minutes(limitSeconds)} allowed`, {
      code: "media.too_long",
      status: 413,
    }),
  decodingTooSlow: (seconds: number) =>
    new ParlanceError(`The file took longer than ${Math.round(seconds)} s to decode and was given up`, {
      code: "media.time_limit",
      status: 400,
    }),

  // Processes and jobs
  processDied: (name: string, how: string) =>
    new ParlanceError(`The ${name} process ended unexpectedly (${how})`, {
      code: "process.died",
      status: 500,
      retryable: true,
    }),
  processTimeout: (name: string, milliseconds: number) =>
    new ParlanceError(`The ${name} process did not answer within ${Math.round(milliseconds / 1000)} s`, {
      code: "process.timeout",
      status: 500,
      retryable: true,
    }),
  processFailed: (name: string, message: string) =>
    new ParlanceError(`The ${name} process failed: ${message}`, { code: "process.failed", status: 500 }),
  recognitionQueueFull: () =>
    new ParlanceError("The recogniser's queue is full", {
      code: "recognition.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  jobPoisoned: (stage: string, lastTime: string) =>
    new ParlanceError(
      `This recording ended its worker process three times in the stage "${stage}" and was given up. The last time: ${lastTime}. The file may be damaged.`,
      { code: "job.poisoned", status: 500 },
    ),
  exportNotWhole: (folder: string) =>
    new ParlanceError(`${folder} is not a whole export; run parlance export ${folder} again, it goes on where it was`, {
      code: "transfer.not_whole",
      status: 400,
    }),
  importIntoUsed: (account: string) =>
    new ParlanceError(
      `The database has jobs of its own (account ${account}); import goes into an empty one, or goes on with one that it has begun`,
      { code: "transfer.used", status: 409 },
    ),
  unknownAccount: (name: string) =>
    new ParlanceError(`There is no account ${name}; make it with: parlance accounts create ${name}`, {
      code: "account.unknown",
      status: 404,
    }),
  badAccountName: (name: string) =>
    new ParlanceError(`An account's name has 1 to 100 letters, digits, dots, @, - or _; it is "${name}"`, {
      code: "account.bad_name",
      status: 400,
    }),
  accountExists: (name: string) =>
    new ParlanceError(`There is an account ${name} already`, { code: "account.exists", status: 409 }),
  unknownKey: (id: string) =>
    new ParlanceError(`There is no key ${id} that could be revoked; parlance keys list shows their ids`, {
      code: "account.no_such_key",
      status: 404,
    }),
  redactionUnavailable: (reason: string) =>
    new ParlanceError(`${reason}. Text that was to be redacted is not handed out as it is`, {
      code: "redaction.unavailable",
      status: 422,
    }),
  jobInterrupted: () =>
    new ParlanceError("This job was interrupted again and again without any progress and was given up", {
      code: "job.interrupted",
      status: 500,
    }),
  aborted: () => new ParlanceError("The work was stopped", { code: "work.aborted", status: 503, retryable: true }),
  internal: (cause: unknown) =>
    new ParlanceError("Something went wrong on our side; the log has the reason under this request id", {
      code: "internal",
      status: 500,
      cause,
    }),

  // Start
  invalidSettings: (problems: string[]) =>
    new ParlanceError(`The configuration cannot be used:\n${problems.map((line) => `  - ${line}`).join("\n")}`, {
      code: "settings.invalid",
      status: 500,
    }),
};

/** Whatever was thrown, as an error of the catalogue. */
export function toParlanceError(thrown: unknown): ParlanceError {
  return thrown instanceof ParlanceError ? thrown : errors.internal(thrown);
}

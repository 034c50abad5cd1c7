// Every setting in one table: its variable, unit, default, bounds and the reason it exists. Validation at start,
// the documentation's table and the start-up message about unknown variables all come from here.

import { parsePostgresAddress } from "../addresses/postgres-address.ts";
import { defaultRecognizers } from "./container-limits.ts";
import { corsOriginsProblem } from "./cors-origins.ts";
import { allowedHostsProblem } from "./host-names.ts";
import { hostProblem, socketModeProblem } from "./listen-address.ts";
import { publicUrlProblem } from "./public-url.ts";
import { trustedProxiesProblem } from "./trusted-proxies.ts";

interface Common {
  /** Environment variable. */
  variable: string;
  /** Read where `variable` is not set: a name that platforms set for every service. */
  alias?: string;
  /** What it is for; shown in docs/settings.md. */
  why: string;
}
export interface NumberSetting extends Common {
  kind: "number";
  unit: string;
  default: number;
  least: number;
  most: number;
  integer: boolean;
}
export interface TextSetting extends Common {
  kind: "text";
  default: string;
  /** Can also be read from a file, which the variable with _FILE behind its name gives. */
  isSecret?: boolean;
  /** Checked at start; the sentence says what is wrong. */
  check?: (value: string) => string | undefined;
}
export interface ChoiceSetting extends Common {
  kind: "choice";
  default: string;
  choices: readonly string[];
}
export interface SwitchSetting extends Common {
  kind: "switch";
  default: boolean;
}
export type Setting = NumberSetting | TextSetting | ChoiceSetting | SwitchSetting;

function httpAddress(value: string): string | undefined {
  if (value === "") return undefined;
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  return protocol === "http:" || protocol === "https:" ? undefined : "must be an http or https address";
}

function postgresAddress(value: string): string | undefined {
  if (value === "") return undefined;
  const address = parsePostgresAddress(value);
  return "problem" in address ? address.problem : undefined;
}

function natsAddresses(value: string): string | undefined {
  if (value === "") return undefined;
  const isAddress = (text: string) => URL.canParse(text) && /^(nats|tls):$/.test(new URL(text).protocol);
  return value.split(",").every((text) => isAddress(text.trim())) ? undefined : "must begin with nats:// or tls://";
}

export const ROLES = ["api", "live", "worker"] as const;
export type Role = (typeof ROLES)[number];

function rolesProblem(value: string): string | undefined {
  const roles = value.split(",").map((role) => role.trim());
  const isKnown = roles.length > 0 && roles.every((role) => (ROLES as readonly string[]).includes(role));
  return isKnown ? undefined : `must be one or more of ${ROLES.join(", ")}, comma-separated`;
}

export const SETTINGS = {
  port: {
    kind: "number",
    variable: "PARLANCE_PORT",
    alias: "PORT",
    unit: "",
    default: 8080,
    least: 0,
    most: 65_535,
    integer: true,
    why: "Port of the HTTP and WebSocket server; 0 takes a free one. Without it, `PORT` is used.",
  },
  host: {
    kind: "text",
    variable: "PARLANCE_HOST",
    alias: "HOST",
    default: "127.0.0.1",
    check: hostProblem,
    why: "Where to listen: an IP address, a host name, `*` for every address of this machine (`0.0.0.0`: IPv4 only), or `unix:/run/parlance.sock` for a Unix socket. Without it, `HOST` is used.",
  },
  socketMode: {
    kind: "text",
    variable: "PARLANCE_SOCKET_MODE",
    default: "660",
    check: socketModeProblem,
    why: "Permissions of that socket; who may write to it may connect.",
  },
  dataDirectory: {
    kind: "text",
    variable: "PARLANCE_DATA_DIR",
    default: "./data",
    why: "Folder of the embedded database, the audio and the results.",
  },
  publicUrl: {
    kind: "text",
    variable: "PARLANCE_PUBLIC_URL",
    default: "",
    check: publicUrlProblem,
    why: "Base of every address in answers, with the path of the reverse proxy if it has one (`https://example.org/transcripts`); without it, the request's Host is used, or the X-Forwarded-Host and -Prefix of a trusted proxy.",
  },
  apiKey: {
    kind: "text",
    variable: "PARLANCE_API_KEY",
    isSecret: true,
    default: "",
    check: (value) => (value === "" || value.length >= 8 ? undefined : "must have at least 8 characters"),
    why: "A key accepted for the default account, in addition to those in the database.",
  },
  anonymous: {
    kind: "switch",
    variable: "PARLANCE_ANONYMOUS",
    default: false,
    why: "Accept requests without any key for the default account. For closed networks.",
  },
  keyHeaders: {
    kind: "text",
    variable: "PARLANCE_KEY_HEADERS",
    default: "x-service-key,x-gladia-key",
    why: "Headers that may contain the key, comma-separated.",
  },
  strictRequests: {
    kind: "switch",
    variable: "PARLANCE_STRICT_REQUESTS",
    default: false,
    why: "Refuse requests of the Gladia interface with unknown fields or parameters (400, with the nearest known name) instead of naming these in `warnings`. `?strict=true` and `?strict=false` decide for a single request.",
  },
  trustProxy: {
    kind: "text",
    variable: "PARLANCE_TRUST_PROXY",
    default: "none",
    check: trustedProxiesProblem,
    why: "Reverse proxies whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are used: addresses and networks (`10.0.0.7`, `10.0.0.0/8`), `loopback`, `private` (loopback and private networks) or `none`, comma-separated. The value `true` of earlier versions means `private`.",
  },
  allowedHosts: {
    kind: "text",
    variable: "PARLANCE_ALLOWED_HOSTS",
    default: "",
    check: allowedHostsProblem,
    why: "Host names under which the console and, with `PARLANCE_ANONYMOUS`, requests without a key are served, comma-separated (`transcripts.example.org`, `.example.org` for every name below it, `*` for all), beside `localhost`, IP addresses, this machine's name and the host of `PARLANCE_PUBLIC_URL`.",
  },
  corsOrigins: {
    kind: "text",
    variable: "PARLANCE_CORS_ORIGINS",
    default: "",
    check: corsOriginsProblem,
    why: "Origins of browser pages that may call the interface (`https://app.example.org`), comma-separated, or `*`.",
  },
  databaseUrl: {
    kind: "text",
    variable: "DATABASE_URL",
    isSecret: true,
    default: "",
    check: postgresAddress,
    why: "PostgreSQL to use instead of the embedded database.",
  },
  databaseConnections: {
    kind: "number",
    variable: "PARLANCE_DATABASE_CONNECTIONS",
    unit: "connections",
    default: 10,
    least: 1,
    most: 1_000,
    integer: true,
    why: "Most connections to PostgreSQL. Requests wait up to 30 s for one, also while the server has none left.",
  },
  allowPrivateAddresses: {
    kind: "switch",
    variable: "PARLANCE_ALLOW_PRIVATE_ADDRESSES",
    default: false,
    why: "Let `audio_url` and callbacks reach private, loopback and link-local addresses.",
  },
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
    why: "Fetch models when a request first needs them: `PARLANCE_MULTILINGUAL_MODEL`, `PARLANCE_SPEAKER_MODEL`, `PARLANCE_LANGUAGE_MODEL`, translation models. If false, the error names the command that adds the model.",
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
  modelsDirectory: {
    kind: "text",
    variable: "PARLANCE_MODELS_DIR",
    default: "",
    why: "Folder of fetched models. Default: `models` in the folder that `PARLANCE_DATA_DIR` names; without that, in the user's cache folder ([models](models.md#files)).",
  },
  modelsUrl: {
    kind: "text",
    variable: "PARLANCE_MODELS_URL",
    default: "https://huggingface.co",
    check: httpAddress,
    why: "Where models are fetched from: the Hugging Face hub or a mirror with the same layout.",
  },
  translationModelsUrl: {
    kind: "text",
    variable: "PARLANCE_TRANSLATION_MODELS_URL",
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
  workers: {
    kind: "number",
    variable: "PARLANCE_WORKERS",
    unit: "processes",
    default: defaultRecognizers(),
    least: 1,
    most: 256,
    integer: true,
    why: "Recogniser processes, one inference thread each. The default is one per core, fewer where the memory holds fewer (0.4 GB each, 0.6 GB for the rest); a container's limits count.",
  },
  taskTimeoutSeconds: {
    kind: "number",
    variable: "PARLANCE_TASK_TIMEOUT_SECONDS",
    unit: "seconds",
    default: 120,
    least: 1,
    most: 86_400,
    integer: false,
    why: "A recogniser process that needs longer than this for half a minute of audio is treated as hanging: it is ended, and its work is repeated in another one.",
  },
  concurrentJobs: {
    kind: "number",
    variable: "PARLANCE_CONCURRENT_JOBS",
    unit: "jobs",
    default: 0,
    least: 0,
    most: 1024,
    integer: true,
    why: "Jobs worked on at once; 0 means eight for each recogniser process, which is the number of segments that a model processes in one batch.",
  },
  maximumQueuedJobs: {
    kind: "number",
    variable: "PARLANCE_MAX_QUEUED_JOBS",
    unit: "jobs",
    default: 10_000,
    least: 1,
    most: 10_000_000,
    integer: true,
    why: "Jobs of one account that may wait; further ones are answered 429.",
  },
  accountConcurrentJobs: {
    kind: "number",
    variable: "PARLANCE_ACCOUNT_CONCURRENT_JOBS",
    unit: "jobs",
    default: 0,
    least: 0,
    most: 100_000,
    integer: true,
    why: "Jobs of one account worked on at once, where it has no limit of its own; the others wait. 0 is no limit.",
  },
  accountLiveSessions: {
    kind: "number",
    variable: "PARLANCE_ACCOUNT_LIVE_SESSIONS",
    unit: "sessions",
    default: 0,
    least: 0,
    most: 100_000,
    integer: true,
    why: "Live sessions of one account at once, where it has no limit of its own; 0 is no limit.",
  },
  accountRequestsPerSecond: {
    kind: "number",
    variable: "PARLANCE_ACCOUNT_REQUESTS_PER_SECOND",
    unit: "requests",
    default: 0,
    least: 0,
    most: 1_000_000,
    integer: false,
    why: "Requests a second of one account, where it has no limit of its own; 0 is no limit.",
  },
  maximumFileBytes: {
    kind: "number",
    variable: "PARLANCE_MAX_FILE_BYTES",
    unit: "bytes",
    default: 1_000_000_000,
    least: 1_000,
    most: 1e13,
    integer: true,
    why: "Largest file, uploaded or fetched.",
  },
  maximumAudioSeconds: {
    kind: "number",
    variable: "PARLANCE_MAX_AUDIO_SECONDS",
    unit: "seconds",
    default: 21_600,
    least: 1,
    most: 1_000_000,
    integer: false,
    why: "Longest recording.",
  },
  fetchTimeoutSeconds: {
    kind: "number",
    variable: "PARLANCE_FETCH_TIMEOUT_SECONDS",
    unit: "seconds",
    default: 900,
    least: 1,
    most: 86_400,
    integer: false,
    why: "Longest time to fetch `audio_url`.",
  },
  fetchMinimumRate: {
    kind: "number",
    variable: "PARLANCE_FETCH_MIN_BYTES_PER_SECOND",
    unit: "bytes",
    default: 4_000,
    least: 0,
    most: 1e9,
    integer: true,
    why: "A host that sends fewer bytes a second, on average over 30 seconds, is given up; 0 is no minimum.",
  },
  fetchAttempts: {
    kind: "number",
    variable: "PARLANCE_FETCH_ATTEMPTS",
    unit: "attempts",
    default: 5,
    least: 1,
    most: 20,
    integer: true,
    why: "Attempts to fetch `audio_url` where its host is busy (408, 425, 429, 5xx) or breaks the answer off; pauses double from a second.",
  },
  fetchRetrySeconds: {
    kind: "number",
    variable: "PARLANCE_FETCH_RETRY_SECONDS",
    unit: "seconds",
    default: 120,
    least: 0,
    most: 3_600,
    integer: false,
    why: "Longest time from the first of these attempts to the beginning of the last; a host that requests a longer pause (`Retry-After`) is given up.",
  },
  concurrentFetches: {
    kind: "number",
    variable: "PARLANCE_CONCURRENT_FETCHES",
    unit: "fetches",
    default: 128,
    least: 1,
    most: 10_000,
    integer: true,
    why: "Addresses fetched at once by this process; a job that is fetched takes none of the `PARLANCE_CONCURRENT_JOBS`.",
  },
  accountConcurrentFetches: {
    kind: "number",
    variable: "PARLANCE_ACCOUNT_CONCURRENT_FETCHES",
    unit: "fetches",
    default: 16,
    least: 1,
    most: 10_000,
    integer: true,
    why: "Addresses fetched at once for one account; its other jobs wait.",
  },
  s3Bucket: {
    kind: "text",
    variable: "PARLANCE_S3_BUCKET",
    default: "",
    why: "Bucket of an S3-compatible store for recordings and results, instead of the data folder.",
  },
  s3Endpoint: {
    kind: "text",
    variable: "PARLANCE_S3_ENDPOINT",
    default: "",
    check: httpAddress,
    why: "Address of that store; without it, Amazon's.",
  },
  s3Region: { kind: "text", variable: "PARLANCE_S3_REGION", default: "us-east-1", why: "Region of the bucket." },
  s3Prefix: {
    kind: "text",
    variable: "PARLANCE_S3_PREFIX",
    default: "",
    why: "Prefix of every key, for a bucket that is shared with other programs; such as `parlance/`.",
  },
  s3PathStyle: {
    kind: "switch",
    variable: "PARLANCE_S3_PATH_STYLE",
    default: false,
    why: "Put the bucket into the path instead of the host name; most stores other than Amazon's require this.",
  },
  s3AccessKeyId: {
    kind: "text",
    variable: "PARLANCE_S3_ACCESS_KEY_ID",
    isSecret: true,
    default: "",
    why: "Key of that store; without it the usual sources (AWS_… variables, files, roles) are used.",
  },
  s3SecretAccessKey: {
    kind: "text",
    variable: "PARLANCE_S3_SECRET_ACCESS_KEY",
    isSecret: true,
    default: "",
    why: "The secret that belongs to it.",
  },
  s3CacheBytes: {
    kind: "number",
    variable: "PARLANCE_S3_CACHE_BYTES",
    unit: "bytes",
    default: 10_000_000_000,
    least: 0,
    most: 1e15,
    integer: true,
    why: "Copies of objects that this machine keeps in its data folder.",
  },
  s3Redirect: {
    kind: "switch",
    variable: "PARLANCE_S3_REDIRECT",
    default: false,
    why: "Redirect clients that download audio to the store, with an address that is valid for 15 minutes.",
  },
  natsUrl: {
    kind: "text",
    variable: "PARLANCE_NATS_URL",
    isSecret: true,
    default: "",
    check: natsAddresses,
    why: "NATS servers with JetStream that store live sessions, comma-separated, instead of the data folder: any machine can continue any session. The first address may contain a user and password, or a token.",
  },
  natsCredentials: {
    kind: "text",
    variable: "PARLANCE_NATS_CREDENTIALS",
    default: "",
    why: "File of credentials for them (`.creds`).",
  },
  natsPrefix: {
    kind: "text",
    variable: "PARLANCE_NATS_PREFIX",
    default: "parlance",
    check: (value) => (/^[a-zA-Z0-9_-]+$/.test(value) ? undefined : "must be letters, digits, - and _"),
    why: "Prefix of every name of a stream, bucket and subject there.",
  },
  natsStreams: {
    kind: "number",
    variable: "PARLANCE_NATS_STREAMS",
    unit: "streams",
    default: 4,
    least: 1,
    most: 1_000,
    integer: true,
    why: "Streams that new live sessions are spread over; each has a leader of its own. The same on every machine.",
  },
  natsReplicas: {
    kind: "number",
    variable: "PARLANCE_NATS_REPLICAS",
    unit: "servers",
    default: 0,
    least: 0,
    most: 5,
    integer: true,
    why: "NATS servers that keep each message; 0 is three where there are as many, else one.",
  },
  roles: {
    kind: "text",
    variable: "PARLANCE_ROLES",
    default: "api,live,worker",
    check: rolesProblem,
    why: "What this process does: `api` answers requests, `live` has live sessions, `worker` works on jobs. Without all three, `DATABASE_URL` is required.",
  },
  reserveBytes: {
    kind: "number",
    variable: "PARLANCE_RESERVE_BYTES",
    unit: "bytes",
    default: 500_000_000,
    least: 0,
    most: 1e15,
    integer: true,
    why: "Free disk space that is reserved for accepted work; with less, new work is answered 507. 0 turns the check off.",
  },
  decodeMemoryBytes: {
    kind: "number",
    variable: "PARLANCE_DECODE_MEMORY_BYTES",
    unit: "bytes",
    default: 600_000_000,
    least: 150_000_000,
    most: 1e12,
    integer: true,
    why: "Memory at which a decoder process is ended.",
  },
  recognizerMemoryBytes: {
    kind: "number",
    variable: "PARLANCE_RECOGNIZER_MEMORY_BYTES",
    unit: "bytes",
    default: 6_000_000_000,
    least: 100_000_000,
    most: 1e13,
    integer: true,
    why: "Memory at which a recogniser process is ended and started again; the largest models take 2 to 4 GB.",
  },
  shareWeights: {
    kind: "switch",
    variable: "PARLANCE_SHARE_WEIGHTS",
    default: true,
    why: "Whether recogniser processes share one copy of the weights in memory, from files in the data folder (200 MB).",
  },
  audioRetentionDays: {
    kind: "number",
    variable: "PARLANCE_AUDIO_RETENTION_DAYS",
    unit: "days",
    default: 0,
    least: 0,
    most: 36_500,
    integer: false,
    why: "Age after which audio is deleted, counted from its upload or the end of its last job; 0 keeps it.",
  },
  resultRetentionDays: {
    kind: "number",
    variable: "PARLANCE_RESULT_RETENTION_DAYS",
    unit: "days",
    default: 0,
    least: 0,
    most: 36_500,
    integer: false,
    why: "Age after which ended jobs are deleted with their results and audio; 0 keeps them.",
  },
  tracesUrl: {
    kind: "text",
    variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "",
    check: httpAddress,
    why: "Base address of an OpenTelemetry receiver (OTLP over HTTP, such as `http://collector:4318`) that traces are sent to; without it none are made.",
  },
  tracesName: {
    kind: "text",
    variable: "OTEL_SERVICE_NAME",
    default: "parlance",
    why: "Name of this service in traces.",
  },
  secretsKey: {
    kind: "text",
    variable: "PARLANCE_SECRETS_KEY",
    isSecret: true,
    default: "",
    why: "Key that callback secrets and voice prints are encrypted with in the database, such as `openssl rand -base64 32` prints; the same on every machine.",
  },
  previousSecretsKey: {
    kind: "text",
    variable: "PARLANCE_SECRETS_KEY_PREVIOUS",
    isSecret: true,
    default: "",
    why: "The former key while `PARLANCE_SECRETS_KEY` is being changed: the start opens secrets with it and seals them with the new key. See [operating](operating.md#the-key-of-callback-secrets).",
  },
  callbackTimeoutSeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_TIMEOUT_SECONDS",
    unit: "seconds",
    default: 15,
    least: 1,
    most: 300,
    integer: false,
    why: "How long the receiver of a callback may take to answer.",
  },
  callbackRetrySeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_RETRY_SECONDS",
    unit: "seconds",
    default: 270_000,
    least: 0,
    most: 2_592_000,
    integer: false,
    why: "How long a failing callback is retried (75 hours); afterwards it is marked as failed on the job.",
  },
  callbackFirstRetrySeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_FIRST_RETRY_SECONDS",
    unit: "seconds",
    default: 5,
    least: 0.01,
    most: 86_400,
    integer: false,
    why: "Pause before a callback's second try; each later pause is four times as long, up to 12 hours.",
  },
  maximumLiveSessions: {
    kind: "number",
    variable: "PARLANCE_MAX_LIVE_SESSIONS",
    unit: "sessions",
    default: 0,
    least: 0,
    most: 100_000,
    integer: true,
    why: "Live sessions at once; further ones are answered 429. 0 lets the measured load decide.",
  },
  liveTokenSeconds: {
    kind: "number",
    variable: "PARLANCE_LIVE_TOKEN_SECONDS",
    unit: "seconds",
    default: 3_600,
    least: 1,
    most: 86_400,
    integer: false,
    why: "How long a session waits for its first connection.",
  },
  liveIdleSeconds: {
    kind: "number",
    variable: "PARLANCE_LIVE_IDLE_SECONDS",
    unit: "seconds",
    default: 30,
    least: 1,
    most: 86_400,
    integer: false,
    why: "A connection that sends nothing for this long is closed and its session finished.",
  },
  liveGraceSeconds: {
    kind: "number",
    variable: "PARLANCE_LIVE_GRACE_SECONDS",
    unit: "seconds",
    default: 60,
    least: 0,
    most: 86_400,
    integer: false,
    why: "How long a session waits for its client to reconnect after a lost connection.",
  },
  liveMaximumSeconds: {
    kind: "number",
    variable: "PARLANCE_LIVE_MAX_SECONDS",
    unit: "seconds",
    default: 10_800,
    least: 1,
    most: 1_000_000,
    integer: false,
    why: "Longest live session from its first connection; then it is finished as if stopped.",
  },
  fsync: {
    kind: "choice",
    variable: "PARLANCE_FSYNC",
    default: "always",
    choices: ["always", "never"],
    why: "`always` syncs whatever is acknowledged to the disk first, so that it survives a power cut; `never` leaves that to the operating system: what is acknowledged survives a kill of the process, a power cut loses up to about 35 s of it. See [operating](operating.md#a-power-cut).",
  },
  languageModel: {
    kind: "text",
    variable: "PARLANCE_LANGUAGE_MODEL",
    default: "",
    why: "Language model of this machine, where PARLANCE_LLM_URL is empty: a name of `npx --no-install parlance models list`, or `hf:OWNER/NAME:FILE.gguf`. No other one is used in its place. Default: an installed one, qwen2.5-1.5b-instruct before the one that was added last; if none is installed, qwen2.5-1.5b-instruct is fetched. Fetched when `audio_to_llm`, `structured_data_extraction` or a question about a transcript first needs it; summaries and chapters use it once it is installed. `off` uses none.",
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
  stallSeconds: {
    kind: "number",
    variable: "PARLANCE_STALL_SECONDS",
    unit: "seconds",
    default: 60,
    least: 1,
    most: 86_400,
    integer: false,
    why: "A client that reads nothing of an answer for this long, or sends less than 500 bytes a second of a body over this time, is disconnected; the latter is answered 408.",
  },
  drainSeconds: {
    kind: "number",
    variable: "PARLANCE_DRAIN_SECONDS",
    unit: "seconds",
    default: 0,
    least: 0,
    most: 3600,
    integer: false,
    why: "How long a process still answers requests after SIGTERM while `/ready` answers 503, so that a load balancer stops sending requests.",
  },
  shutdownSeconds: {
    kind: "number",
    variable: "PARLANCE_SHUTDOWN_SECONDS",
    unit: "seconds",
    default: 10,
    least: 0,
    most: 3_600,
    integer: false,
    why: "How long a graceful stop waits for requests under way.",
  },
  logLevel: {
    kind: "choice",
    variable: "PARLANCE_LOG_LEVEL",
    default: "info",
    choices: ["trace", "debug", "info", "warn", "error", "silent"],
    why: "Lowest level that is logged.",
  },
  docs: {
    kind: "switch",
    variable: "PARLANCE_DOCS",
    default: true,
    why: "Serve the documentation at /docs and the document at /openapi.json.",
  },
  metrics: {
    kind: "switch",
    variable: "PARLANCE_METRICS",
    default: true,
    why: "Serve Prometheus metrics at /metrics, for keys of the default account and `PARLANCE_METRICS_KEY`.",
  },
  metricsKey: {
    kind: "text",
    variable: "PARLANCE_METRICS_KEY",
    isSecret: true,
    default: "",
    check: (value) => (value === "" || value.length >= 16 ? undefined : "must have at least 16 characters"),
    why: "A key that reads /metrics and nothing else, for Prometheus.",
  },
} satisfies Record<string, Setting>;

type ValueOf<S extends Setting> = S extends NumberSetting ? number : S extends SwitchSetting ? boolean : string;
export type Settings = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> };

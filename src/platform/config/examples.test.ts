// Every setting by the name of its variable. A new setting needs a line in the table.
import { expect, test } from "vitest";
import { loadSettings } from "./load.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

interface Example {
  /** Value of the variable. It differs from the default. */
  text: string;
  /** The setting that results. */
  value: unknown;
  /** A value that is an error; absent where each text is accepted. */
  refused?: string;
}

const EXAMPLES: Record<string, Example> = {
  // server.ts
  PARLANCE_PORT: { text: "1", value: 1, refused: "-1" },
  PARLANCE_HOST: { text: "::1", value: "::1", refused: "no host" },
  PARLANCE_SOCKET_MODE: { text: "600", value: "600", refused: "rw" },
  PARLANCE_PUBLIC_URL: {
    text: "https://example.org/transcripts",
    value: "https://example.org/transcripts",
    refused: "example.org",
  },
  PARLANCE_TRUST_PROXY: { text: "10.0.0.0/8", value: "10.0.0.0/8", refused: "proxy" },
  PARLANCE_ALLOWED_HOSTS: {
    text: "transcripts.example.org",
    value: "transcripts.example.org",
    refused: "https://example.org",
  },
  PARLANCE_CORS_ORIGINS: {
    text: "https://app.example.org",
    value: "https://app.example.org",
    refused: "app.example.org",
  },
  PARLANCE_STRICT_REQUESTS: { text: "true", value: true, refused: "perhaps" },
  PARLANCE_DOCS: { text: "false", value: false, refused: "perhaps" },
  // access.ts
  PARLANCE_API_KEY: { text: "12345678", value: "12345678", refused: "1234567" },
  PARLANCE_ANONYMOUS: { text: "true", value: true, refused: "perhaps" },
  PARLANCE_KEY_HEADERS: { text: "x-own-key", value: "x-own-key" },
  PARLANCE_ALLOW_PRIVATE_ADDRESSES: { text: "true", value: true, refused: "perhaps" },
  PARLANCE_SECRETS_KEY: { text: "a secret", value: "a secret" },
  PARLANCE_TWILIO_AUTH_TOKENS: {
    text: "0123456789abcdef0123456789abcdef",
    value: "0123456789abcdef0123456789abcdef",
    refused: "short",
  },
  PARLANCE_SECRETS_KEY_PREVIOUS: { text: "a former secret", value: "a former secret" },
  // storage.ts
  PARLANCE_DATA_DIR: { text: "/srv/parlance", value: "/srv/parlance" },
  DATABASE_URL: { text: "postgres://db/parlance", value: "postgres://db/parlance", refused: "mysql://db" },
  PARLANCE_DATABASE_CONNECTIONS: { text: "20", value: 20, refused: "0" },
  PARLANCE_FSYNC: { text: "never", value: "never", refused: "sometimes" },
  PARLANCE_RESERVE_BYTES: { text: "1000000000", value: 1_000_000_000, refused: "-1" },
  PARLANCE_AUDIO_RETENTION_DAYS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_UNUSED_UPLOAD_RETENTION_DAYS: { text: "14", value: 14, refused: "-1" },
  PARLANCE_UPLOAD_EXPIRY_HOURS: { text: "48", value: 48, refused: "0" },
  PARLANCE_RESULT_RETENTION_DAYS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_S3_BUCKET: { text: "recordings", value: "recordings" },
  PARLANCE_S3_ENDPOINT: {
    text: "http://s3.example.org:9000",
    value: "http://s3.example.org:9000",
    refused: "s3.example.org",
  },
  PARLANCE_S3_REGION: { text: "eu-west-1", value: "eu-west-1" },
  PARLANCE_S3_PREFIX: { text: "parlance", value: "parlance" },
  PARLANCE_S3_PATH_STYLE: { text: "true", value: true, refused: "perhaps" },
  PARLANCE_S3_ACCESS_KEY_ID: { text: "id", value: "id" },
  PARLANCE_S3_SECRET_ACCESS_KEY: { text: "secret", value: "secret" },
  PARLANCE_S3_CACHE_BYTES: { text: "20000000000", value: 20_000_000_000, refused: "-1" },
  PARLANCE_S3_REDIRECT: { text: "true", value: true, refused: "perhaps" },
  // models.ts
  PARLANCE_MODEL: { text: "whisper-tiny", value: "whisper-tiny" },
  PARLANCE_MULTILINGUAL_MODEL: { text: "whisper-base", value: "whisper-base" },
  PARLANCE_FETCH_MODELS: { text: "false", value: false, refused: "perhaps" },
  PARLANCE_ENGLISH_BY_DEFAULT_MODEL: { text: "false", value: false, refused: "perhaps" },
  PARLANCE_SPEAKER_MODEL: { text: "none", value: "none" },
  PARLANCE_TURN_MODEL: { text: "none", value: "none" },
  PARLANCE_MODELS_DIR: { text: "/srv/models", value: "/srv/models" },
  PARLANCE_MODELS_URL: {
    text: "https://models.example.org",
    value: "https://models.example.org",
    refused: "models.example.org",
  },
  PARLANCE_TRANSLATION_MODELS_URL: {
    text: "https://models.example.org/translation",
    value: "https://models.example.org/translation",
    refused: "models.example.org",
  },
  PARLANCE_MODELS_TOKEN: { text: "token", value: "token" },
  // processing.ts
  PARLANCE_WORKERS: { text: "251", value: 251, refused: "0" },
  PARLANCE_TASK_TIMEOUT_SECONDS: { text: "240", value: 240, refused: "0" },
  PARLANCE_CONCURRENT_JOBS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_RECOGNIZER_MEMORY_BYTES: { text: "12000000000", value: 12_000_000_000, refused: "99999999" },
  PARLANCE_SHARE_WEIGHTS: { text: "false", value: false, refused: "perhaps" },
  PARLANCE_DECODE_MEMORY_BYTES: { text: "1200000000", value: 1_200_000_000, refused: "149999999" },
  PARLANCE_MAX_FILE_BYTES: { text: "2000000000", value: 2_000_000_000, refused: "999" },
  PARLANCE_MAX_AUDIO_SECONDS: { text: "43200", value: 43_200, refused: "0" },
  PARLANCE_FETCH_TIMEOUT_SECONDS: { text: "1800", value: 1800, refused: "0" },
  PARLANCE_FETCH_MIN_BYTES_PER_SECOND: { text: "8000", value: 8000, refused: "-1" },
  PARLANCE_FETCH_ATTEMPTS: { text: "10", value: 10, refused: "0" },
  PARLANCE_FETCH_RETRY_SECONDS: { text: "240", value: 240, refused: "-1" },
  PARLANCE_CONCURRENT_FETCHES: { text: "256", value: 256, refused: "0" },
  // accounts.ts
  PARLANCE_MAX_QUEUED_JOBS: { text: "20000", value: 20_000, refused: "0" },
  PARLANCE_MAX_UNFINISHED_UPLOADS: { text: "200", value: 200, refused: "0" },
  PARLANCE_MAX_UNFINISHED_UPLOAD_BYTES: { text: "40000000000", value: 40_000_000_000, refused: "999" },
  PARLANCE_ACCOUNT_CONCURRENT_JOBS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_ACCOUNT_LIVE_SESSIONS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_ACCOUNT_REQUESTS_PER_SECOND: { text: "3", value: 3, refused: "-1" },
  PARLANCE_ACCOUNT_CONCURRENT_FETCHES: { text: "32", value: 32, refused: "0" },
  // live.ts
  PARLANCE_MAX_LIVE_SESSIONS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_LIVE_TOKEN_SECONDS: { text: "7200", value: 7200, refused: "0" },
  PARLANCE_LIVE_IDLE_SECONDS: { text: "60", value: 60, refused: "0" },
  PARLANCE_LIVE_GRACE_SECONDS: { text: "120", value: 120, refused: "-1" },
  PARLANCE_LIVE_MAX_SECONDS: { text: "21600", value: 21_600, refused: "0" },
  // wyoming.ts
  PARLANCE_WYOMING_PORT: { text: "3", value: 3, refused: "-1" },
  PARLANCE_WYOMING_HOST: { text: "*", value: "*", refused: "no host" },
  PARLANCE_WYOMING_CLIENTS: { text: "private", value: "private", refused: "everybody" },
  PARLANCE_WYOMING_KEY: { text: "key", value: "key" },
  // audiosocket.ts
  PARLANCE_AUDIOSOCKET_PORT: { text: "3", value: 3, refused: "-1" },
  PARLANCE_AUDIOSOCKET_HOST: { text: "*", value: "*", refused: "no host" },
  PARLANCE_AUDIOSOCKET_CLIENTS: { text: "private", value: "private", refused: "everybody" },
  PARLANCE_AUDIOSOCKET_KEY: { text: "key", value: "key" },
  // callbacks.ts
  PARLANCE_CALLBACK_TIMEOUT_SECONDS: { text: "30", value: 30, refused: "0" },
  PARLANCE_CALLBACK_RETRY_SECONDS: { text: "540000", value: 540_000, refused: "-1" },
  PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: { text: "10", value: 10, refused: "0" },
  // providers.ts
  PARLANCE_LANGUAGE_MODEL: { text: "none", value: "none" },
  PARLANCE_LANGUAGE_MODEL_GPU: { text: "true", value: true, refused: "perhaps" },
  PARLANCE_LLM_URL: {
    text: "http://llm.example.org/v1",
    value: "http://llm.example.org/v1",
    refused: "llm.example.org",
  },
  PARLANCE_LLM_KEY: { text: "key", value: "key" },
  PARLANCE_LLM_MODEL: { text: "large", value: "large" },
  PARLANCE_LLM_TIMEOUT_SECONDS: { text: "120", value: 120, refused: "0" },
  PARLANCE_LLM_CONCURRENCY: { text: "32", value: 32, refused: "0" },
  PARLANCE_LLM_MAX_TOKENS: { text: "400000", value: 400_000, refused: "99" },
  PARLANCE_TRANSLATE_URL: {
    text: "http://translate.example.org",
    value: "http://translate.example.org",
    refused: "translate.example.org",
  },
  PARLANCE_TRANSLATE_KEY: { text: "key", value: "key" },
  // machines.ts
  PARLANCE_ROLES: { text: "live", value: "live", refused: "lives" },
  PARLANCE_NATS_URL: {
    text: "nats://nats.example.org:4222",
    value: "nats://nats.example.org:4222",
    refused: "http://nats.example.org",
  },
  PARLANCE_NATS_CREDENTIALS: { text: "/run/secrets/nats.creds", value: "/run/secrets/nats.creds" },
  PARLANCE_NATS_PREFIX: { text: "other", value: "other", refused: "a.b" },
  PARLANCE_NATS_STREAMS: { text: "8", value: 8, refused: "0" },
  PARLANCE_NATS_MAX_BYTES: { text: "3", value: 3, refused: "-1" },
  PARLANCE_NATS_REPLICAS: { text: "3", value: 3, refused: "-1" },
  // operation.ts
  PARLANCE_STALL_SECONDS: { text: "120", value: 120, refused: "0" },
  PARLANCE_DRAIN_SECONDS: { text: "3", value: 3, refused: "-1" },
  PARLANCE_SHUTDOWN_SECONDS: { text: "20", value: 20, refused: "-1" },
  PARLANCE_LOG_LEVEL: { text: "warn", value: "warn", refused: "loud" },
  PARLANCE_METRICS: { text: "false", value: false, refused: "perhaps" },
  PARLANCE_METRICS_KEY: { text: "0123456789abcdef", value: "0123456789abcdef", refused: "0123456789abcde" },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    text: "http://collector:4318",
    value: "http://collector:4318",
    refused: "collector:4318",
  },
  OTEL_SERVICE_NAME: { text: "transcripts", value: "transcripts" },
};

const byVariable = Object.entries<Setting>(SETTINGS).map(
  ([name, setting]) => [setting.variable, { name, setting }] as const,
);

test("the table has an example for each setting, and for nothing else", () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(byVariable.map(([variable]) => variable).sort());
});

const defaults: Readonly<Record<string, unknown>> = { ...loadSettings({}) };

test.each(byVariable)("%s changes its own setting alone", (variable, { name }) => {
  const { text = "", value } = EXAMPLES[variable] ?? {};
  expect(value).not.toEqual(defaults[name]);
  expect(loadSettings({ [variable]: text })).toEqual({ ...defaults, [name]: value });
});

test.each(byVariable)("%s with a wrong value is an error that names it", (variable, { setting }) => {
  const refused = EXAMPLES[variable]?.refused;
  if (refused === undefined) {
    expect(setting.kind === "text" && setting.check === undefined, "each text is accepted").toBe(true);
    return;
  }
  const load = () => loadSettings({ [variable]: refused });
  expect(load).toThrow(expect.objectContaining({ code: "settings.invalid" }));
  expect(load).toThrow(`${variable} `);
});

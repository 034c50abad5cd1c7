// The rules that `npm run boundaries` checks. A path ending in / is a folder with everything below it.

/** Packages that are imported in one place only, so that replacing or upgrading one affects one folder. */
export const PACKAGES = {
  "onnxruntime-node": ["src/speech/onnx/runtime.ts"],
  "node-av": ["src/speech/audio/decode/", "src/speech/audio/streams/"],
  "sherpa-onnx-node": ["src/speech/engines/sherpa/"],
  "@browsermt/bergamot-translator": ["src/speech/engines/bergamot/"],
  "@usefulsensors/moonshine-js": ["src/speech/engines/moonshine/"],
  "llama-tokenizer-js": ["src/speech/engines/moonshine/"],
  "node-llama-cpp": ["src/speech/language-model/process/runtime.ts"],
  "@ricky0123/vad-web": ["src/speech/audio/voice-activity/"],
  "@sapphi-red/web-noise-suppressor": ["src/speech/audio/enhance/"],
  undici: ["src/platform/net/"],
  fastify: ["src/api/"],
  "@fastify/*": ["src/api/"],
  ws: ["src/service/live/connection/"],
  pg: ["src/platform/storage/db/"],
  kysely: ["src/platform/storage/", "src/service/operations/transfer/", "src/compose/"],
  "@electric-sql/pglite": ["src/platform/storage/db/"],
  "@aws-sdk/*": ["src/platform/storage/objects/"],
  "@nats-io/*": ["src/service/live/log/jetstream/"],
  "fs-native-extensions": ["src/platform/storage/kernel-lock.ts"],
  "@opentelemetry/*": ["src/platform/observability/"],
  "prom-client": ["src/platform/observability/"],
  commander: ["src/cli/"],
  "@modelcontextprotocol/server": ["src/api/mcp/", "src/cli/run-mcp.ts"],
  "@bomb.sh/tab": ["src/cli/"],
  docx: ["src/service/transcripts/formats/"],
  marked: ["src/api/docs/"],
  compromise: ["src/service/intelligence/english-grammar.ts"],
  obscenity: ["src/service/intelligence/"],
  "vader-sentiment": ["src/service/intelligence/"],
  "node:timers/promises": ["src/platform/process/sleep.ts"],
  "node:child_process": ["src/platform/process/", "src/cli/browser.ts", "src/cli/microphone.ts"],
  "node:worker_threads": ["src/platform/process/", "src/platform/storage/db/"],
};

/** Packages of which other places import types only. */
export const RUNTIME_PACKAGES = {
  typebox: {
    by: ["src/contract/"],
    why: "requests, responses and messages are described in one place, from which types and documents are derived",
  },
};

/** The first level of the source, lowest room first. The modules of a room import only from their own room and from lower ones, which precede it in this list. */
export const ROOMS = {
  "src/contract/": "shapes of requests, responses and transcripts, languages, the client: what the console uses, too",
  "src/platform/": "settings, processes, network, storage, observability, errors",
  "src/speech/": "audio, recognition, speakers, text, translation: usable without the service",
  "src/service/": "jobs, live sessions, add-ons, accounts, callbacks, models, inference",
  "src/api/": "the HTTP interfaces",
  "src/compose/": "the process: builds every part once and starts it",
  "src/cli/": "the command line",
};

/** Modules of the project that only the named places import; they may always import each other. */
export const MODULES = [
  {
    of: "src/platform/errors/",
    by: ["src/platform/errors.ts"],
    why: "there they are one catalogue, whose codes have one type",
  },
  {
    of: "src/service/live/",
    by: ["src/api/", "src/compose/"],
    why: "jobs and live sessions share only what lies below both",
  },
  {
    of: "src/speech/engines/moonshine/",
    by: ["src/speech/engines/registry.ts"],
    why: "engines are chosen by the registry",
  },
  {
    of: "src/speech/engines/whisper/",
    by: ["src/speech/engines/registry.ts"],
    why: "engines are chosen by the registry",
  },
  {
    of: "src/speech/engines/sherpa/",
    by: ["src/speech/engines/registry.ts"],
    why: "engines are chosen by the registry",
  },
  {
    of: "src/service/live/dialects/gladia/",
    by: ["src/service/live/dialects/"],
    why: "sessions and connections use dialect.ts",
  },
  {
    of: "src/service/live/dialects/openai/",
    by: ["src/service/live/dialects/", "src/api/openai/"],
    why: "sessions and connections use dialect.ts; client secrets are judged as sessions are",
  },
  {
    of: "src/service/live/dialects/deepgram/",
    by: ["src/service/live/dialects/"],
    why: "sessions and connections use dialect.ts",
  },
  {
    of: "src/service/live/dialects/audiosocket/",
    by: ["src/service/live/connection/audiosocket/"],
    why: "the sessions of other connections use dialect.ts",
  },
  {
    of: "src/service/live/dialects/wyoming/",
    by: ["src/service/live/connection/wyoming/"],
    why: "the sessions of other connections use dialect.ts",
  },
  {
    of: "src/service/live/dialects/deepgram-flux/",
    by: ["src/service/live/dialects/"],
    why: "sessions and connections use dialect.ts",
  },
  ...["telephony", "media-streams", "vapi", "jambonz", "freeswitch"].map((name) => ({
    of: `src/service/live/dialects/${name}/`,
    by: ["src/service/live/dialects/"],
    why: "sessions and connections use dialect.ts",
  })),
  {
    of: "src/service/deepgram/",
    by: [
      "src/api/deepgram/",
      "src/api/plugins/errors.ts",
      "src/service/live/connection/session-access.ts",
      "src/service/live/dialects/deepgram/",
      "src/service/live/dialects/deepgram-flux/",
      "src/service/transcripts/deepgram-answer.ts",
    ],
    why: "what interfaces of several companies share is in service/wire/",
  },
  {
    of: "src/service/live/log/jetstream/",
    by: ["src/compose/"],
    why: "sessions use log-contract.ts",
  },
  {
    of: "src/platform/storage/db/client-time.ts",
    by: ["src/platform/storage/db/jobs/job-lists.ts"],
    why: "times of clients are compared with rows in lists only; other times are those of the database (database-time.ts)",
  },
];

/** Creators of times of the database: everything else gets them from the first, so that the clock of a machine decides nothing. */
export const DATABASE_TIMES = ["src/platform/storage/db/database-time.ts", "src/platform/storage/db/client-time.ts"];

/** Packages and modules that a process must not load when it starts: those that its entry reaches by static imports. */
export const START_IMPORTS = [
  {
    entries: ["src/compose/main.ts", "src/compose/compose.ts"],
    never: ["onnxruntime-node", "pg", "src/speech/audio/decode/media-file.ts"],
    why: "recognisers and decoders run in child processes; a service with the embedded database needs no driver for servers",
  },
  {
    entries: ["src/service/intelligence/process/child.ts"],
    never: ["onnxruntime-node", "compromise"],
    why: "this process also assembles jobs without add-ons; compromise takes 45 MB and is loaded on first use",
  },
];

/** Readers of the environment: settings are loaded once, and passed on. */
export const ENVIRONMENT = ["src/platform/config/"];

/** Words of names that describe a program as a person: it sends, receives, recognises, supports. */
export const AVOIDED_NAMES = [
  "told",
  "untold",
  "tell",
  "tells",
  "hear",
  "hears",
  "heard",
  "believes",
  "believed",
  "forgets",
];
/** Names with such a word that stay. */
export const KEPT_NAMES = { hearsInFloats: "a field of prepared models, which are stored" };

/** Callers of the global `fetch`, which follows redirects into the private network. The console runs in a browser. */
export const FETCH = ["src/platform/net/", "console/src/"];

/** Timers that code awaits: one for Node, one for browsers. */
export const TIMERS = ["src/platform/process/sleep.ts", "console/src/sleep.ts"];

/** Declarations of error classes. */
export const ERROR_CLASSES = {
  "src/platform/errors/parlance-error.ts": "the class of the catalogue",
  "src/cli/usage-error.ts": "ends the process with another exit code; never leaves the command line",
  "console/src/api.ts": "an error answer of the service, in the browser",
  "src/service/intelligence/addon-error.ts":
    "fails one add-on; printed into its result, never thrown to a caller of the service",
};

export const MOST_LINES = 300;

/** Longer files, each with its reason and its own bound: it may shrink, and must not grow. */
export const LONG_FILES = {
  "src/service/intelligence/identifiers.ts": { lines: 400, why: "one table of identifiers and their checks" },
  "src/service/live/channel/channel.ts": { lines: 354, why: "the order of a channel's events" },
  "src/speech/recognition/decoding/attention-recognizer.ts": { lines: 355, why: "one loop over a batch" },
  "src/contract/job.ts": { lines: 310, why: "one shape: a job and its result" },
  "src/service/models/fleet-models.ts": { lines: 310, why: "one state machine for each model of the fleet" },
  "src/service/inference/pool.ts": { lines: 375, why: "one request method for each kind of task, and their queue" },
  "src/speech/audio/decode/timeline.ts": { lines: 310, why: "one pass over the timestamps of a track" },
  "src/service/live/session/registry.ts": { lines: 375, why: "the index of sessions and its periodic checks" },
  "src/service/live/session/session.ts": { lines: 460, why: "one state machine: connections, frames, end, loss" },
  "console/src/language/messages/de.ts": { lines: 900, why: "every message of the service in German" },
  "console/src/language/messages/fr.ts": { lines: 900, why: "every message of the service in French" },
  "console/src/language/messages/es.ts": { lines: 900, why: "every message of the service in Spanish" },
  "console/src/language/messages/pt.ts": { lines: 900, why: "every message of the service in Portuguese" },
  "console/src/language/messages/ja.ts": { lines: 900, why: "every message of the service in Japanese" },
  "console/src/language/messages/ar.ts": { lines: 900, why: "every message of the service in Arabic" },
  "console/src/language/tables/en.ts": { lines: 1_300, why: "every text of the console in English" },
  "console/src/language/tables/de.ts": { lines: 1_300, why: "every text of the console in German" },
  "console/src/language/tables/fr.ts": { lines: 1_300, why: "every text of the console in French" },
  "console/src/language/tables/es.ts": { lines: 1_300, why: "every text of the console in Spanish" },
  "console/src/language/tables/pt.ts": { lines: 1_300, why: "every text of the console in Portuguese" },
  "console/src/language/tables/ja.ts": { lines: 1_300, why: "every text of the console in Japanese" },
  "console/src/language/tables/ar.ts": { lines: 1_400, why: "every text of the console in Arabic" },
};

export const MOST_FUNCTION_LINES = 100;

/** Longer functions, by file and name, each with its reason and its own bound. */
export const LONG_FUNCTIONS = {
  "src/api/app.ts createApp": { lines: 120, why: "one line for each plugin and operation, in their order" },
  "src/api/voices/manage.ts addVoices": { lines: 150, why: "seven routes of one library, declared with their schemas" },
  "src/api/openai/audio.ts addOpenAiAudio": { lines: 120, why: "two routes of one handler, with its stream" },
};

/** The modules that normalize text and divide it into words, in time that is linear in the text. */
export const NORMALIZED = "src/contract/normalized.ts";
export const WORD_SEGMENTS = "src/platform/text/word-segments.ts";

/**
 * Lists that are cut at a bound without firstOf or listed of src/contract/first-of.ts, by file and bound: nothing that a client sent or
 * should see is left out there.
 */
export const CUTS = {
  "console/src/live/session-words.ts LAST_WORDS": "the page shows their median",
  "console/src/pages/recordings.tsx MOST_PROGRESSES": "the other rows show their state without a share",
  "console/src/transcript/change-lines.ts BEGINNING_WORDS": "the first words of a place in the list of changes",
  "console/src/transcript/made-here.ts MOST_CORRECTIONS": "corrections that undo reaches after a reload, the last ones",
  "console/src/transcript/made-here.ts MOST_RECORDINGS":
    "recordings in which undo reaches back over a reload, the last ones",
  "console/src/transcript/place.ts MOST_RECORDINGS": "places of playback in this browser, the last ones",
  "console/src/transcript/speaker-dialog.tsx BEGINNING_CHARACTERS": "the beginning of an utterance, as a button",
  "src/api/context.ts SHORT_ID_LENGTH": "the short form of an id",
  "src/api/plugins/forwarding.ts 200": "a header in the log, which the message calls wrong",
  "src/platform/errors/requests.ts MOST_SHOWN_CHARACTERS": "quotes a host name",
  "src/platform/process/error-output.ts LONGEST_PIECE_CHARACTERS": "the log states how many characters follow",
  "src/platform/net/judged-datagrams.ts MOST_ADDRESSES": "addresses of one name, each of which leads to its server",
  "src/service/inference/placement.ts CACHED_AUDIO_PER_PROCESS": "a cache",
  "src/service/jobs/stages/likely-rate.ts CHECKED_CHANNELS": "one rate holds for all channels",
  "src/service/callbacks/webhook-header.ts TELLING_CHARACTERS": "the beginning of a secret, to find it in an answer",
  "src/service/live/channel/detected-activity.ts MOST_WINDOWS": "windows that finals no longer need",
  "src/service/live/compressed/packet-positions.ts KEPT_PACKETS": "positions of the last packets",
  "src/service/live/connection/live-socket.ts MOST_REASON_BYTES": "RFC 6455; a cut reason ends in …",
  "src/service/live/dialects/assemblyai/turns.ts MOST_EARLIER": "as many turns as finals whose speakers may change",
  "src/service/live/log/inbox.ts RECENT_BOUNDARIES": "boundaries of acknowledged chunks",
  "src/service/live/session/callbacks.ts MOST_AT_ONCE": "a batch; the next one follows",
  "src/service/live/sources/packets/source-error.ts MOST_SHOWN_CHARACTERS":
    "text of a server in a message; a cut text ends in …",
  "src/service/models/source.ts MOST_SHOWN": "suggestions, the most similar first",
  "src/service/transcripts/noted-words.ts MOST_CHARACTERS": "a quotation of a note's words; a cut one ends in …",
  "src/service/transcripts/teaching/phrase-places.ts CHARACTERS_AROUND": "a few words beside a place",
  "src/service/transcripts/assemblyai-answer.ts MOST_PLACES": "a warning of the answer names the phrase",
  "src/service/transcripts/deepgram-answer.ts MOST_HITS": "a warning of the answer names the phrase",
  "src/speech/audio/decode/container/mp4-boxes.ts MOST_TRACKS": "tracks are searched for encryption; FFmpeg lists them",
  "src/speech/audio/streams/webm.ts 40": "the name of an encoding in a message",
  "src/speech/audio/leaks/leak-path.ts BLOCK_SAMPLES": "a block of samples",
  "src/speech/engines/whisper/alignment-heads.ts CHOSEN": "the best heads of a model",
  "src/speech/engines/whisper/model.ts MOST_REPORTED": "the most probable languages",
  "src/speech/recognition/decoding/alternatives.ts MOST_REPLACED": "alternatives that are tried",
  "src/speech/speakers/live-diarizer.ts KEPT_WINDOWS": "windows that overlap the next one",
  "src/speech/speakers/live-words.ts MOST_PENDING": "older words have been compared already",
  "src/speech/speakers/network-diarization.ts LOCAL_SPEAKERS": "outputs of a network",
  "src/speech/text/keywords.ts MOST_SENTENCES": "candidates of a summary, those with most content",
  "src/speech/text/language-choice.ts MOST_SIMILAR": "suggestions, the most similar first",
};

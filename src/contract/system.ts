// State of the service, and the models that it has.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Enum, Name, Nullable, WebAddress } from "./fields.ts";

export const ChosenModel = Type.Object({
  url: WebAddress({
    description: "Base of an OpenAI-compatible interface; empty where the key is not the operator's",
  }),
  model: Name(),
});
export type ChosenModel = Static<typeof ChosenModel>;

const MachineBody = Type.Object({
  disk_free: Type.Union([Type.Number(), Type.Null()], {
    description: "Bytes on the disk of the data folder; null where they cannot be read",
  }),
  disk_reserve: Type.Number({
    description: "With fewer free bytes, new recordings and live sessions are refused; 0 is no limit",
  }),
  jobs: Type.Object(
    { queued: Type.Integer(), processing: Type.Integer() },
    { description: "Recorded jobs of all accounts" },
  ),
  jobs_capacity: Nullable(
    Type.Integer({
      description: "Recorded jobs that are worked on at once; null where several processes share the database",
    }),
  ),
  audio_speed: Nullable(
    Type.Number({
      description:
        "Seconds of recorded audio transcribed in a second, measured by recent jobs; null before the first one",
    }),
  ),
});

export const StatusBody = Type.Object(
  {
    version: Type.String(),
    ready: Type.Boolean(),
    cores: Type.Integer(),
    recognizers: Type.Integer(),
    load: Type.Object({
      live_sessions: Type.Integer({ description: "Of all processes that share live sessions" }),
      live_capacity: Type.Integer({
        description: "Live sessions that these processes can serve with finals in time, those that run included",
      }),
      live_audio: Type.Number({ description: "Seconds of live audio that arrive in a second" }),
      live_audio_capacity: Type.Number({ description: "Seconds of live speech that can be served in a second" }),
      waiting_segments: Type.Integer({ description: "Stretches of speech that wait for a recogniser" }),
      final_delay: Type.Number({ description: "Seconds that live finals are waited for, 90th percentile" }),
      processor: Type.Number({ description: "Load of the last minute for each core" }),
      memory_free: Type.Number({ description: "Bytes" }),
    }),
    jobs: Type.Object({ queued: Type.Integer(), processing: Type.Integer() }, { description: "Of this account" }),
    model: Type.String(),
    multilingual_model: Type.String(),
    language_model: Nullable(ChosenModel),
    is_operator: Type.Boolean({ description: "Whether this key may change models" }),
    machine: Type.Union([MachineBody, Type.Null()], {
      description: "Disk, recordings of all accounts and speed; null where the key is not the operator's",
    }),
  },
  { title: "SystemStatus" },
);
export type SystemStatus = Static<typeof StatusBody>;

export const FoundServers = Type.Object(
  {
    items: Type.Array(Type.Object({ name: Type.String(), url: Type.String(), models: Type.Array(Type.String()) })),
  },
  { title: "LanguageModelServers" },
);
export type FoundServers = Static<typeof FoundServers>;

const ModelBody = Type.Object(
  {
    id: Type.String(),
    purpose: Enum(["recognition", "speakers", "turns", "translation", "language-model"], {
      description:
        "speakers: finds who talks, for diarization; turns: detects the ends of turns in live sessions; translation: one direction; language-model: writes summaries, answers and data",
    }),
    installed: Type.Boolean(),
    built_in: Type.Boolean({ description: "Comes with the service and cannot be removed" }),
    languages: Type.Integer({ description: "How many" }),
    codes: Type.Array(Type.String(), { description: "ISO 639; empty where only their number is known" }),
    licence: Type.String(),
    note: Type.String(),
    bytes: Nullable(
      Type.Number({
        description: "On this machine, or to fetch; null where a package or the registry of translation models has it",
      }),
    ),
    on_demand: Type.Boolean({
      description: "Not installed, and fetched automatically when a recording first needs a model of this purpose",
    }),
    fetching: Nullable(Type.Number({ description: "Part that is there, while it is being fetched" })),
    failure: Nullable(Type.String({ description: "Why it did not come, when it was last tried" })),
  },
  { title: "SpeechModel" },
);
export type SpeechModel = Static<typeof ModelBody>;

export const ModelsBody = Type.Object({ items: Type.Array(ModelBody) }, { title: "SpeechModels" });
export type SpeechModels = Static<typeof ModelsBody>;

export const ModelParams = Type.Object({ id: Name() });
export const FetchModelBody = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 200 }) },
  { title: "FetchModel" },
);

/** Answer of /health and /ready. */
export const ProcessStatusBody = Type.Object({ status: Type.String() });

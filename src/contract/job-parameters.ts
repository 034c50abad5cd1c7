// Parameters of jobs and live sessions: the stored body of the request that made them, with defaults.
import type { Static } from "typebox";
import * as Type from "typebox";
import { TranscriptJob } from "./assemblyai-request.ts";
import { Warnings } from "./fields.ts";
import { LiveBody } from "./live.ts";
import { effectiveLanguages, PreRecordedBody } from "./pre-recorded.ts";
import { type LanguageConfig, VocabularyEntry } from "./processing.ts";
import { type StoredValue, storedValueReader } from "./stored-value.ts";

const { custom_metadata: _, tags: _tags, ...recorded } = PreRecordedBody.properties;
/** A person of a request, with the voice of a recording that came with it. */
const RequestedPerson = Type.Object({ name: Type.String(), print: Type.Array(Type.Number()), seconds: Type.Number() });
/** `known_voices` is stored sealed, as `sealed_voices`; only versions before this one stored it open. */
const known = { known_voices: Type.Array(RequestedPerson), sealed_voices: Type.String() };
/** Parameter of a request that needs the language alone: the service recognises the speech that decides it, and no more. */
const detection = { detects_only: Type.Boolean() };
/** Parameter of a request whose client receives the text while it is recognised, perhaps from another process. */
const following = { is_followed: Type.Boolean() };
/** Of a request in AssemblyAI's form. */
const transcript = { assemblyai: TranscriptJob };
export type RequestedPerson = Static<typeof RequestedPerson>;
/** A word of the account's vocabulary that was added to a request. */
export type AccountWord = Static<typeof VocabularyEntry>;
const added = { account_words: Type.Array(VocabularyEntry) };

/** Of a request for add-ons of a finished transcript. */
const later = { later_add_ons: Type.Object({ made_by: Type.String(), replaces_speakers: Type.Boolean() }) };

const CompleteRecorded = Type.Object({
  ...recorded,
  warnings: Warnings(),
  ...known,
  ...detection,
  ...following,
  ...transcript,
  ...added,
  ...later,
});
const { required: _required, ...withoutRequired } = CompleteRecorded;
/** Requests of earlier versions lack the fields of later ones. */
const StoredRecorded = Type.Unsafe<Partial<Static<typeof CompleteRecorded>>>(withoutRequired);
type StoredRecorded = Static<typeof StoredRecorded>;

const { custom_metadata: __, tags: __tags, ...live } = LiveBody.properties;
const ClientRules = Type.Object({
  reconnects: Type.Boolean(),
  idle_seconds: Type.Optional(Type.Number()),
  most_seconds: Type.Optional(Type.Number()),
});
/**
 * Of a session in another interface than POST /v2/live.
 * @property reconnects    whether its client can reconnect to the session; otherwise it ends with its connection
 * @property idle_seconds  longest time without a frame, if it is shorter than that of the service
 * @property most_seconds  longest session, likewise
 */
export type ClientRules = Static<typeof ClientRules>;

const StoredLive = Type.Object({ ...live, warnings: Warnings(), client_rules: Type.Optional(ClientRules) });
type StoredLive = Static<typeof StoredLive>;

/** Parameters of a recorded job. */
export type JobParameters = StoredRecorded & { language_config: Required<Static<typeof LanguageConfig>> };

/** Switches of add-ons and their configurations, of a recorded job or of a part of a live session's parameters. */
export type AddonParameters = StoredRecorded;

type Given<Name extends keyof StoredLive> = NonNullable<StoredLive[Name]>;

/** Parameters of a live session. */
export type LiveParameters = StoredLive & {
  encoding: Given<"encoding">;
  bit_depth: number;
  sample_rate: number;
  channels: number;
  endpointing: number;
  maximum_duration_without_endpointing: number;
  language_config: Required<Given<"language_config">>;
  turn_detection?: Required<Given<"turn_detection">>;
  pre_processing: Required<Given<"pre_processing">>;
  realtime_processing: Given<"realtime_processing"> & { account_words?: AccountWord[] };
  post_processing: Given<"post_processing">;
  messages_config: Required<Given<"messages_config">>;
  callback_config?: Required<Omit<Given<"callback_config">, "url">> & { url?: string };
};

/** What decides where the callbacks of a job are sent; the same for recorded jobs and live sessions. */
export type CallbackParameters = Pick<StoredRecorded, "callback" | "callback_url"> & {
  callback_config?: Partial<NonNullable<StoredRecorded["callback_config"]>>;
};

const readRecorded = storedValueReader(StoredRecorded);
const readLive = storedValueReader(StoredLive);

/** The parameters, whose warnings name what could not be read. */
function withWarnings<Parameters extends { warnings?: string[] }>({ value, unreadable }: StoredValue): Parameters {
  const parameters = value as Parameters;
  if (unreadable.length === 0) return parameters;
  const added = unreadable.map((name) =>
    name === ""
      ? "The stored request could not be read; the defaults were used"
      : `The stored value of ${name} could not be read and was not used`,
  );
  return { ...parameters, warnings: [...(parameters.warnings ?? []), ...added] };
}

/**
 * @param stored  request_params of a recorded job of any version, or the body of a request
 * @returns a copy with defaults
 */
export function parseJobParameters(stored: unknown): JobParameters {
  const parameters = withWarnings<StoredRecorded>(readRecorded(stored));
  const { languages = [], code_switching = false } = effectiveLanguages(parameters);
  return { ...parameters, language_config: { languages, code_switching } };
}

/**
 * @param stored  request_params of a live session of any version, or the body of a request
 * @returns a copy with defaults
 */
export const parseLiveParameters = (stored: unknown): LiveParameters => withWarnings<LiveParameters>(readLive(stored));

/**
 * @param stored  request_params of a job
 * @returns those that the caller sent, warnings and the words of the account: without the voice prints of known speakers and without internal ones
 */
export function shownParameters(stored: unknown): Record<string, unknown> {
  // A damaged row may have null or a list here.
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  const {
    known_voices: _prints,
    sealed_voices: _sealed,
    detects_only: _internal,
    is_followed: _isFollowed,
    assemblyai: _form,
    client_rules: _rules,
    later_add_ons: _later,
    ...shown
  } = stored as Record<string, unknown>;
  return shown;
}

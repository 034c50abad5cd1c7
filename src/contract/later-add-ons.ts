// The body of POST /v2/transcription/{id}/add-ons, and the requests that it makes.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DateTime, Enum, fieldsOf, Nullable, Switch, Warnings } from "./fields.ts";
import { JOB_STATUSES } from "./job.ts";
import { PreRecordedBody } from "./pre-recorded.ts";
import { TEXT_ADD_ONS } from "./text-add-ons.ts";

const fields = PreRecordedBody.properties;

type AddOn = "diarization" | (typeof TEXT_ADD_ONS)[number];
type Added = Pick<typeof fields, Extract<keyof typeof fields, AddOn | `${AddOn}_config`>>;

/** The fields of a job's request that change no word of the transcript: each add-on, followed by its configuration. */
const added: Added = fieldsOf(
  fields,
  ["diarization", ...TEXT_ADD_ONS]
    .flatMap((name) => [name, `${name}_config`])
    .filter((name): name is keyof Added => Object.hasOwn(fields, name)),
);

export const LaterAddOnsBody = Type.Object(
  {
    ...added,
    replace_speakers: Switch({
      description: "With diarization: the new speakers replace those that people have corrected",
    }),
  },
  { title: "LaterAddOnsRequest" },
);
export type LaterAddOnsBody = Static<typeof LaterAddOnsBody>;

/** @param params  of such a request, with the defaults of a job's @returns the add-ons that it switches on, and their configurations */
export const requestedLater = <Params extends object>(
  params: Params,
): Pick<Params, keyof Params & keyof typeof added> =>
  Object.fromEntries(
    Object.entries(params).filter(([name, value]) => Object.hasOwn(added, name) && value !== false),
  ) as Pick<Params, keyof Params & keyof typeof added>;

/** Fields of a job that belong to the job itself. */
const OF_JOB = ["audio_url", "callback", "callback_url", "callback_config", "custom_metadata"];

/** Fields of a job that decide the words of its transcript, or change them. */
export const FIELDS_OF_WORDS: readonly string[] = Object.keys(fields).filter(
  (name) => !Object.hasOwn(added, name) && !OF_JOB.includes(name),
);

export const LaterAddOns = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    add_ons: Type.Array(Type.String(), { description: "Their switches in the request" }),
    status: Enum(JOB_STATUSES, {
      description: "done: the result of the job has all of them; error: it has those that error_message does not name",
    }),
    stage: Nullable(Type.String({ description: "Of unfinished ones" })),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Part of the whole work that is done" }),
    created_at: DateTime(),
    completed_at: Nullable(DateTime()),
    error_code: Nullable(Type.Integer()),
    error_message: Nullable(Type.String()),
    request_params: Type.Object({}, { additionalProperties: true, description: "The request, with defaults" }),
  },
  { title: "LaterAddOns" },
);
export type LaterAddOns = Static<typeof LaterAddOns>;

export const AcceptedAddOns = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    result_url: Type.String({ format: "uri", description: "Of the job, whose result will have the add-ons" }),
    speakers: Type.Optional(
      Enum(["result", "correction"], {
        description:
          "With diarization: where the speakers will be. The transcript was never corrected: in the result. Otherwise they become a correction, which can be undone",
      }),
    ),
    warnings: Warnings(),
  },
  { title: "AcceptedAddOns" },
);

export const LaterAddOnsList = Type.Object(
  { items: Type.Array(LaterAddOns, { description: "Newest first, at most 100" }) },
  { title: "LaterAddOnsList" },
);
export type LaterAddOnsList = Static<typeof LaterAddOnsList>;

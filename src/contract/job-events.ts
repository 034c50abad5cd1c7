// Changes of an account's jobs as server-sent events.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Enum, Nullable } from "./fields.ts";
import { JOB_KINDS, JOB_STATUSES } from "./job.ts";
import { JobTags } from "./tags.ts";

export const MOST_STREAM_SECONDS = 3_600;

export const JobStateBody = Type.Object(
  {
    id: Type.String(),
    kind: Enum(JOB_KINDS),
    status: Enum(JOB_STATUSES),
    name: Nullable(Type.String()),
    tags: JobTags(),
    stage: Nullable(Type.String({ description: "Of an unfinished recording" })),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Part of the whole work that is done" }),
    version: Type.Integer({ minimum: 0, description: "Of the corrections" }),
  },
  { title: "JobState" },
);
export type JobState = Static<typeof JobStateBody>;

const DeletedJobBody = Type.Object({ id: Type.String() }, { title: "DeletedJob" });

/** By the name of the event. */
export const JOB_EVENTS = { reread: Type.Object({}), job: JobStateBody, deleted: DeletedJobBody };
export type JobEvent =
  | { type: "reread"; data: Record<string, never> }
  | { type: "job"; data: JobState }
  | { type: "deleted"; data: { id: string } };

export const StreamSeconds = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MOST_STREAM_SECONDS,
    default: MOST_STREAM_SECONDS,
    description: "The stream ends after this time",
  }),
);
export const EventsQuery = Type.Object({ seconds: StreamSeconds });

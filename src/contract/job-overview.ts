// The name of a job, and what lists show of its transcript.
import { type Static, Type } from "@sinclair/typebox";
import { MOST_JOB_NAME_CHARACTERS } from "./bounds.ts";
import { Nullable } from "./fields.ts";

export const JobName = (description: string) =>
  Nullable(Type.String({ maxLength: MOST_JOB_NAME_CHARACTERS, description }));

export const OverviewBody = Type.Object(
  {
    languages: Type.Array(Type.String()),
    speakers: Type.Array(Type.Object({ speaker: Type.Integer({ minimum: 0 }), name: Nullable(Type.String()) }), {
      description: "In order of their numbers; the first 50",
    }),
    further_speakers: Type.Optional(
      Type.Integer({ minimum: 1, description: "Number of speakers beyond the first 50; absent if all are listed" }),
    ),
    first_words: Type.String({ description: "The beginning of the transcript, as corrected" }),
  },
  { title: "JobOverview", description: "Extension: what lists show of a finished job; null until the job is indexed" },
);
export type JobOverview = Static<typeof OverviewBody>;

export const JobNameBody = Type.Object(
  {
    name: Type.String({
      maxLength: MOST_JOB_NAME_CHARACTERS,
      description: "Name that lists show. An empty string removes it; lists then show the name of the file",
    }),
  },
  { title: "JobName" },
);

export type JobNameBody = Static<typeof JobNameBody>;

export const NamedJobBody = Type.Object({ id: Type.String({ format: "uuid" }), name: JobName("As stored") });

// The name and the tags of a job, and what lists show of its transcript.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_JOB_NAME_CHARACTERS } from "./bounds.ts";
import { Nullable } from "./fields.ts";
import { JobTags, Tags } from "./tags.ts";

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

export const JobLabelsBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        maxLength: MOST_JOB_NAME_CHARACTERS,
        description: "Name that lists show. An empty string removes it; lists then show the name of the file",
      }),
    ),
    tags: Type.Optional(
      Tags(
        "All tags of the job, which replace those that it has. Case does not distinguish tags, and spaces around them are removed",
      ),
    ),
    remove_tags: Type.Optional(Tags("Tags that the job no longer has")),
    add_tags: Type.Optional(Tags("Further tags of the job")),
  },
  { title: "JobLabels" },
);

export type JobLabelsBody = Static<typeof JobLabelsBody>;

export const LabelledJobBody = Type.Object({
  id: Type.String({ format: "uuid" }),
  name: JobName("As stored"),
  tags: JobTags(),
});

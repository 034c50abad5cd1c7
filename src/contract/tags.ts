// Tags of jobs, by which people find those that belong together.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_LISTED_TAGS, MOST_TAG_CHARACTERS, MOST_TAGS } from "./bounds.ts";

export const Tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: MOST_TAG_CHARACTERS }), { maxItems: MOST_TAGS, description });

export const JobTags = () => Type.Array(Type.String(), { description: "Extension: the tags of the job" });

export const AccountTags = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        tag: Type.String(),
        jobs: Type.Integer({ minimum: 1, description: "Number of jobs with it" }),
      }),
      { description: `Those of the most jobs first, at most ${MOST_LISTED_TAGS}` },
    ),
    further: Type.Integer({ minimum: 0, description: "Number of tags that are not listed" }),
  },
  { title: "AccountTags" },
);
export type AccountTags = Static<typeof AccountTags>;

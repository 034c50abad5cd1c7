// How far an unfinished job is.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable } from "./fields.ts";

export const ProgressBody = Type.Object(
  {
    waits_for: Nullable(
      Type.Object(
        {
          model: Type.String(),
          share: Type.Number({ minimum: 0, maximum: 1, description: "Part of it that was downloaded" }),
        },
        { description: "A model that has to be fetched before this job can begin" },
      ),
    ),
    queue_position: Nullable(Type.Integer({ description: "1 is next; null once the job runs" })),
    stage: Nullable(Type.String()),
    fetch: Nullable(
      Type.Object(
        {
          attempts: Type.Integer({ minimum: 0, description: "Attempts so far, including the current one" }),
          last_failure: Nullable(Type.String({ description: "Reason of the last failure, until the next attempt" })),
          next_attempt_at: Nullable(Type.String({ format: "date-time" })),
        },
        { description: "Of a recording that is still to be fetched" },
      ),
    ),
    share: Type.Number({ minimum: 0, maximum: 1, description: "Part of the whole work that is done" }),
    estimated_seconds: Nullable(
      Type.Number({ description: "Estimated seconds until the result is available; null if unknown" }),
    ),
  },
  { title: "Progress" },
);
export type JobProgress = Static<typeof ProgressBody>;

// Captions of a live session for its viewers: parameters of their addresses.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Name } from "./fields.ts";
import { StreamSeconds } from "./job-events.ts";

const Token = Type.Optional(
  Name({ description: "Of the addresses in the answer of POST /v2/live, for players and pages without a key" }),
);

export const CaptionsQuery = Type.Object({ token: Token });
export type CaptionsQuery = Static<typeof CaptionsQuery>;

export const CaptionPartParams = Type.Object({
  id: Name(),
  part: Type.String({ maxLength: 24, pattern: "^[0-9]{1,16}\\.vtt$", description: "A part that the playlist names" }),
});

export const CaptionEventsQuery = Type.Object({
  token: Token,
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: "Number of the last event that the client has; 0 sends all. Default: new events only",
    }),
  ),
  seconds: StreamSeconds,
});
export type CaptionEventsQuery = Static<typeof CaptionEventsQuery>;

// GET of the captions of a session with a source: a subtitle playlist of HLS, and its parts.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { CaptionPartParams, CaptionsQuery } from "../../contract/live-captions.ts";
import { TextBody } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { publishedParts, publishedText } from "../../platform/storage/db/jobs/caption-parts.ts";
import { areOver, captionPlaylist, LISTED_PARTS } from "../../service/live/sources/caption-playlist.ts";
import { sourceOf } from "../../service/live/sources/live-sources.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const PLAYLIST = "application/vnd.apple.mpegurl";
const VTT = "text/vtt";

export function addCaptions(app: Api, context: Pick<ApiContext, "database">): void {
  const { database } = context;
  app.get(
    "/v2/live/:id/captions.m3u8",
    {
      schema: {
        tags: ["Live"],
        summary: "Captions of a live session with a source, as a subtitle playlist of HLS",
        description: `An extension of the interface. The last ${LISTED_PARTS} parts; those of an HLS source have the numbers and times of its own parts.`,
        params: JobIdParams,
        querystring: CaptionsQuery,
        response: {
          200: { description: "The playlist", content: { [PLAYLIST]: { schema: TextBody } } },
          ...errorResponses(400, 401, 404, 409, 429),
        },
      },
      config: { takesSessionToken: true },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, "live");
      if (!sourceOf(row)) throw errors.liveWithoutSource();
      // Read first: no part follows the end.
      const isEnded = await areOver(database, row);
      const { parts, longestSeconds } = await publishedParts(database, row.id, LISTED_PARTS);
      const { token } = request.query;
      reply.type(`${PLAYLIST}; charset=utf-8`);
      if (token !== undefined) reply.header("cache-control", isEnded ? "max-age=60" : "max-age=1");
      return captionPlaylist({ parts, longestSeconds, isEnded, token }) as never;
    },
  );
  app.get(
    "/v2/live/:id/captions/:part",
    {
      schema: {
        tags: ["Live"],
        summary: "A part of the captions of a live session with a source",
        description: "An extension of the interface. WebVTT with X-TIMESTAMP-MAP. A part never changes.",
        params: CaptionPartParams,
        querystring: CaptionsQuery,
        response: {
          200: { description: "WebVTT", content: { [VTT]: { schema: TextBody } } },
          ...errorResponses(400, 401, 404, 429),
        },
      },
      config: { takesSessionToken: true },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, "live");
      const text = await publishedText(database, row.id, Number.parseInt(request.params.part, 10));
      if (text === undefined) throw errors.notFound("The part of the captions");
      reply.type(`${VTT}; charset=utf-8`);
      // Without a token in the address, a shared cache would serve the part to anyone.
      if (request.query.token !== undefined) reply.header("cache-control", "max-age=3600, immutable");
      return text as never;
    },
  );
}

// Multipart bodies in the OpenAPI document. Handlers read these as streams, so that no schema validates them: a route describes them in
// its configuration, and accepts the content types that it describes.
import type { TSchema } from "@sinclair/typebox";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Bodies by content type; only JSON is accepted where it is missing. */
    describedBodies?: Readonly<Record<string, TSchema>>;
  }
}

export function requestBodyOf(bodies: Readonly<Record<string, TSchema>>) {
  return {
    required: true,
    content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }])),
  };
}

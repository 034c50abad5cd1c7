// Multipart bodies in the OpenAPI document. Handlers read these as streams, so that no schema validates them: a route describes them in
// its configuration, and accepts the content types that it describes.
import type { TSchema } from "@sinclair/typebox";
import { type SchemaOptions, Type } from "@sinclair/typebox";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Bodies by content type; only JSON is accepted where it is missing. */
    describedBodies?: Readonly<Record<string, TSchema>>;
  }
}

/** The bytes of a file as a part of a form. */
export const FilePart = (options: SchemaOptions = {}) =>
  Type.Unsafe<string>({ type: "string", format: "binary", ...options });

/** A response whose content is bytes, for `schema.response`. */
export const bytesResponse = (description: string, type = "application/octet-stream") => ({
  description,
  content: { [type]: { schema: FilePart() } },
});

export function requestBodyOf(bodies: Readonly<Record<string, TSchema>>) {
  return {
    required: true,
    content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }])),
  };
}

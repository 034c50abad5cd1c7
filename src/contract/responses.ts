// Responses that are not JSON: without content, text, streams of events, files.
import * as Type from "typebox";
import { FilePart } from "./fields.ts";

/** @param description  what the service did */
export const noContent = (description: string) => Type.Null({ description });

export const TextBody = Type.String();

/** `content` of a response that is a stream of server-sent events. */
export const EVENT_STREAM = { "text/event-stream": { schema: TextBody } };

/** A response whose content is bytes, for `schema.response`. */
export const bytesResponse = (description: string, type = "application/octet-stream") => ({
  description,
  content: { [type]: { schema: FilePart() } },
});

// Code and parameters of a message in answers, for clients that show it in another language.
import { type Static, Type } from "@sinclair/typebox";
import { readMessage } from "./read-message.ts";

export const MessageDetails = Type.Object(
  {
    code: Type.String({ description: "Which message this is; `other` if it has no code" }),
    parameters: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "What the message quotes: texts, numbers, and messages with their own code and parameters",
    }),
  },
  { title: "MessageDetails" },
);
export type MessageDetails = Static<typeof MessageDetails>;

/** A message of no known form has the code `other`. */
export const messageDetails = (text: string): MessageDetails =>
  readMessage(text) ?? { code: "other", parameters: { text } };

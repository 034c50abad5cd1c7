// The schema of a message's code and parameters. It is apart from the function that makes them (messages/message-details.ts), which
// child processes import.
import * as Type from "typebox";
import type { MessageDetails } from "./messages/message-details.ts";

export const MessageDetailsBody = Type.Unsafe<MessageDetails>(
  Type.Object(
    {
      code: Type.String({ description: "Which message this is; `other` if it has no code" }),
      parameters: Type.Unsafe<Record<string, unknown>>({
        type: "object",
        additionalProperties: true,
        description: "What the message quotes: texts, numbers, and messages with their own code and parameters",
      }),
    },
    { title: "MessageDetails" },
  ),
);

// Code and parameters of a message in answers, for clients that show it in another language. Child processes
// import this; the schema is in ../message-details-body.ts.
import { readMessage } from "./read-message.ts";

export interface MessageDetails {
  code: string;
  parameters: Record<string, unknown>;
}

/** A message of no known form has the code `other`. */
export const messageDetails = (text: string): MessageDetails =>
  readMessage(text) ?? { code: "other", parameters: { text } };

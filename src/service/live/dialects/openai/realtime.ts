// OpenAI's Realtime interface for transcription: /v1/realtime, JSON messages with audio in base64.
import type { Dialect } from "../dialect.ts";
import { RealtimeConversation } from "./conversation.ts";

const PATH = /^\/v1\/realtime\/?$/;

export const openAiRealtime: Dialect = {
  name: "openai-realtime",
  subprotocols: ["realtime"],
  accepts: (path) => PATH.test(path),
  open: (opening) => new RealtimeConversation(opening),
};

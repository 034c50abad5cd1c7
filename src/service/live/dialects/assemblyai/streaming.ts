// AssemblyAI's streaming interface: WebSockets of /v3/ws, with messages for the turns of a conversation.
import { isStreamingPath } from "../../../assemblyai/errors.ts";
import type { Dialect } from "../dialect.ts";
import { StreamingConversation } from "./conversation.ts";

export const assemblyAiStreaming: Dialect = {
  name: "assemblyai",
  accepts: isStreamingPath,
  open: (opening) => new StreamingConversation(opening),
};

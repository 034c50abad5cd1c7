// Deepgram's live interface: WebSockets of /v1/listen.
import { isListenPath } from "../../../deepgram/errors.ts";
import type { Dialect } from "../dialect.ts";
import { SCHEMES } from "./access.ts";
import { ListenConversation } from "./conversation.ts";

export const deepgramListen: Dialect = {
  name: "deepgram-listen",
  subprotocols: SCHEMES,
  accepts: isListenPath,
  open: (opening) => new ListenConversation(opening),
};

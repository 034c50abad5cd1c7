// Deepgram's Flux interface: WebSockets of /v2/listen, with events for the turns of a conversation.
import { isFluxPath } from "../../../deepgram/errors.ts";
import { SCHEMES } from "../deepgram/access.ts";
import type { Dialect } from "../dialect.ts";
import { FluxConversation } from "./conversation.ts";

export const deepgramFlux: Dialect = {
  name: "deepgram-flux",
  subprotocols: SCHEMES,
  accepts: isFluxPath,
  open: (opening) => new FluxConversation(opening),
};

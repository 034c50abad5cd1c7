// Media streams of Twilio, Telnyx and Plivo: WebSockets of /telephony/NAME.
import type { Dialect } from "../dialect.ts";
import { MediaStreamConversation } from "./conversation.ts";
import { PLIVO, type Platform, TELNYX, TWILIO } from "./platforms.ts";

/** Twice the longest message, so that the dialect itself refuses a message that is slightly too long, and states the reason. */
const MOST_MESSAGE_BYTES = 131_072;

const dialectOf = (platform: Platform): Dialect => ({
  name: platform.name,
  mostMessageBytes: MOST_MESSAGE_BYTES,
  accepts: (path) => platform.path.test(path),
  open: (opening) => new MediaStreamConversation(platform, opening),
});

export const mediaStreams: readonly Dialect[] = [TWILIO, TELNYX, PLIVO].map(dialectOf);

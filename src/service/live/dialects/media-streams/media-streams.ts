// Media streams of Twilio, Telnyx and Plivo: WebSockets of /telephony/NAME.
import type { Dialect } from "../dialect.ts";
import { MediaStreamConversation } from "./conversation.ts";
import { PLIVO, type Platform, TELNYX, TWILIO } from "./platforms.ts";

const dialectOf = (platform: Platform): Dialect => ({
  name: platform.name,
  accepts: (path) => platform.path.test(path),
  open: (opening) => new MediaStreamConversation(platform, opening),
});

export const mediaStreams: readonly Dialect[] = [TWILIO, TELNYX, PLIVO].map(dialectOf);

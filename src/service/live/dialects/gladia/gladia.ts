// Gladia's live protocol, version 2: /v2/live?token=…, JSON messages, audio in base64 or binary frames.

import { CLOSE } from "../../../../contract/close-codes.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import type { Conversation, Dialect, Opening } from "../dialect.ts";
import { parseBinaryFrame, parseTextFrame } from "./client-frames.ts";
import { closeFrame } from "./close-frames.ts";
import { printMessage } from "./print.ts";

const LIVE_PATH = /^\/v2\/live\/?$/;
const MOST_SHOWN_PARAMETERS = 10;
const SHOWN_CHARACTERS = 50;

/** Query parameters other than the token, which have to be set when the session is created. */
function unknownParameters(query: URLSearchParams): ClientCommand[] {
  const names = [...new Set(query.keys())].filter((name) => name !== "token");
  if (names.length === 0) return [];
  const shown = names
    .slice(0, MOST_SHOWN_PARAMETERS)
    .map((name) => storableText(beginningOf(name, SHOWN_CHARACTERS)))
    .join(", ");
  const others = names.length - MOST_SHOWN_PARAMETERS;
  const more = others > 0 ? ` and ${others} more` : "";
  const reason = `parameters of the WebSocket address are ignored: ${shown}${more}; POST /v2/live takes them`;
  return [{ kind: "unreadable", reason, isChunk: false }];
}

function open({ query, at }: Opening): Conversation {
  return {
    findSession: async (sessions) => ({ found: await sessions.byToken(query.get("token") ?? "", at) }),
    openingCommands: unknownParameters(query),
    commandsOf: (frame, isBinary) => [isBinary ? parseBinaryFrame(frame) : parseTextFrame(frame)],
    print: (emitted) => [printMessage(emitted)],
    farewell: () => [],
    closeFrame,
    // A normal close means stop_recording; after any other code the client may reconnect.
    departureOf: (closeCode) => (closeCode === CLOSE.done ? "finished" : "lost"),
  };
}

export const gladia: Dialect = { name: "gladia", accepts: (path) => LIVE_PATH.test(path), open };

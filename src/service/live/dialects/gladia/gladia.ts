// Gladia's live protocol, version 2: /v2/live?token=…, JSON messages, audio in base64 or binary frames.

import { CLOSE } from "../../../../contract/close-codes.ts";
import { listed } from "../../../../contract/first-of.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import type { Conversation, Dialect, Opening } from "../dialect.ts";
import { parseBinaryFrame, parseTextFrame } from "./client-frames.ts";
import { closeFrame } from "./close-frames.ts";
import { printMessage } from "./print.ts";

const LIVE_PATH = /^\/v2\/live\/?$/;
const MOST_SHOWN_PARAMETERS = 10;
const SHOWN_CHARACTERS = 50;

/** Parameters of the address; all others have to be set when the session is created. */
const PARAMETERS = new Set(["token", "replay"]);

function unknownParameters(query: URLSearchParams): ClientCommand[] {
  const names = [...new Set(query.keys())].filter((name) => !PARAMETERS.has(name));
  if (names.length === 0) return [];
  const shown = names.map((name) => storableText(beginningOf(name, SHOWN_CHARACTERS)));
  const list = listed(shown, MOST_SHOWN_PARAMETERS);
  const reason = `parameters of the WebSocket address are ignored: ${list}; POST /v2/live takes them`;
  return [{ kind: "unreadable", reason, isChunk: false }];
}

function replayProblem(query: URLSearchParams): ClientCommand[] {
  const replay = query.get("replay") ?? "false";
  if (replay === "true" || replay === "false") return [];
  return [{ kind: "unreadable", reason: "replay must be true or false; nothing is replayed", isChunk: false }];
}

function open({ query, at }: Opening): Conversation {
  return {
    findSession: async (sessions) => ({ found: await sessions.byToken(query.get("token") ?? "", at) }),
    openingCommands: [...unknownParameters(query), ...replayProblem(query)],
    receivesAll: query.get("replay") === "true",
    lastEvent: "sessionEnded",
    commandsOf: (frame, isBinary) => [isBinary ? parseBinaryFrame(frame) : parseTextFrame(frame)],
    print: (emitted) => [printMessage(emitted)],
    farewell: () => [],
    closeFrame,
    // A normal close means stop_recording; after any other code the client may reconnect.
    departureOf: (closeCode) => (closeCode === CLOSE.done ? "finished" : "lost"),
  };
}

export const gladia: Dialect = { name: "gladia", accepts: (path) => LIVE_PATH.test(path), open };

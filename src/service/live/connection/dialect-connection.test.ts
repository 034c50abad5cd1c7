import { expect, test, vi } from "vitest";
import type { Conversation } from "../dialects/dialect.ts";
import { DialectConnection } from "./dialect-connection.ts";
import type { LiveSocket } from "./live-socket.ts";

test("a message that a dialect fails at is left out with one warning; others are read", () => {
  const commandsOf = (bytes: Buffer) => {
    if (bytes.length === 0) throw new TypeError("a defect");
    return [{ kind: "stop" }];
  };
  const warn = vi.fn();
  const conversation = { commandsOf } as unknown as Conversation;
  const connection = new DialectConnection({} as LiveSocket, conversation, { warn });
  const [bad, good] = [Buffer.alloc(0), Buffer.alloc(1)];
  const reason = "a message was left out: it could not be read";
  expect(connection.commandsOf(bad, false)).toEqual([{ kind: "unreadable", reason, isChunk: false, isKept: true }]);
  expect(connection.commandsOf(good, false)).toEqual([{ kind: "stop" }]);
  expect(connection.commandsOf(bad, false)).toEqual([]);
  expect(warn).toHaveBeenCalledOnce();
});

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Messenger } from "../log/log-contract.ts";
import { type FedMessage, ViewerFeeds } from "./viewer-feeds.ts";

let topics: Map<string, Set<(text: string) => void>>;
let published: string[];
let time: number;
const messenger: Messenger = {
  publish: (topic, text) => {
    published.push(topic);
    for (const receive of topics.get(topic) ?? []) receive(text);
  },
  subscribe: (topic, onMessage) => {
    const receivers = topics.get(topic) ?? new Set();
    topics.set(topic, receivers.add(onMessage));
    return () => receivers.delete(onMessage);
  },
};
let ends: (() => void)[];
beforeEach(() => {
  [topics, published, time, ends] = [new Map(), [], 0, []];
});
afterEach(() => {
  for (const end of ends) end();
});

function process(): ViewerFeeds {
  const feeds = new ViewerFeeds(messenger, () => time);
  feeds.listen();
  return feeds;
}

function viewerOf(feeds: ViewerFeeds, id: string): FedMessage[] {
  const seen: FedMessage[] = [];
  ends.push(feeds.watch(id, (fed) => seen.push(fed)));
  return seen;
}

const PARTIAL = { type: "transcript", message: "a" };

test("viewers of the owner and of other processes receive each message once", () => {
  const [owner, other] = [process(), process()];
  const seen = [viewerOf(owner, "s"), viewerOf(other, "s"), viewerOf(other, "s"), viewerOf(other, "t")];
  owner.send("s", PARTIAL);
  owner.send("s", { ...PARTIAL, number: 4 });
  const both = [PARTIAL, { ...PARTIAL, number: 4 }];
  expect(seen).toEqual([both, both, both, []]);
});

test("nothing is published for a session without viewers elsewhere", () => {
  const [owner, other] = [process(), process()];
  owner.send("s", PARTIAL);
  expect([owner.isWatched("s"), published]).toEqual([false, []]);
  const seen = viewerOf(other, "s");
  expect(owner.isWatched("s")).toBe(true);
  // The other process was lost, and announces nothing any more.
  time += 15_001;
  expect(owner.isWatched("s")).toBe(false);
  owner.send("s", PARTIAL);
  expect([seen, published]).toEqual([[], ["watched"]]);
});

test("nothing is published for the viewers of the owner", () => {
  const owner = process();
  const seen = viewerOf(owner, "s");
  owner.send("s", PARTIAL);
  expect([seen, published]).toEqual([[PARTIAL], ["watched"]]);
  ends.pop()?.();
  expect(owner.isWatched("s")).toBe(false);
});

test("a viewer that has left receives nothing", () => {
  const [owner, other] = [process(), process()];
  const seen = viewerOf(other, "s");
  ends.pop()?.();
  owner.send("s", PARTIAL);
  expect(seen).toEqual([]);
  expect(other.countOf("s")).toBe(0);
});

test("without a messenger, the viewers of this process receive the messages", () => {
  const feeds = new ViewerFeeds(undefined);
  const seen = viewerOf(feeds, "s");
  feeds.send("s", PARTIAL);
  expect(seen).toEqual([PARTIAL]);
});

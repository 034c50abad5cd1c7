// Parts of a live session without a browser: reconnections, the duration of its audio, and the text that is copied.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveConnection, type Socket } from "../../src/contract/client/live-connection.ts";
import { showLanguage } from "../src/language/language.ts";
import { AudioPosition } from "../src/live/audio-position.ts";
import { captionText } from "../src/live/caption-text.ts";
import type { Line } from "../src/live/lines.ts";
import { Reconnections } from "../src/live/reconnections.ts";

class TestSocket implements Socket {
  binaryType = "";
  readyState = 0;
  onopen: ((event: never) => unknown) | null = null;
  onmessage: ((event: never) => unknown) | null = null;
  onclose: ((event: never) => unknown) | null = null;
  onerror: ((event: never) => unknown) | null = null;
  send(): void {}
  close(): void {}
}

/** Longer than each pause between attempts. */
const PAUSE_MILLISECONDS = 6_000;
const LOST = { code: 1006, reason: "" } as never;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function connection() {
  const sockets: TestSocket[] = [];
  const reconnections = new Reconnections();
  const events = {
    onState: (state: Parameters<Reconnections["add"]>[0]) => reconnections.add(state),
    onMessage: () => undefined,
    onEnded: () => undefined,
  };
  const open = () => {
    const socket = new TestSocket();
    sockets.push(socket);
    return socket;
  };
  const live = new LiveConnection(open, events);
  const last = () => sockets.at(-1) as TestSocket;
  const connect = () => last().onopen?.({} as never);
  const lose = () => {
    last().onclose?.(LOST);
    vi.advanceTimersByTime(PAUSE_MILLISECONDS);
  };
  return { live, reconnections, connect, lose, sockets };
}

test("several failed attempts and a success are one reconnection", () => {
  const { reconnections, connect, lose, sockets } = connection();
  connect();
  for (let attempt = 0; attempt < 4; attempt++) lose();
  expect(sockets).toHaveLength(5);
  expect(reconnections.count).toBe(0);
  connect();
  expect(reconnections.count).toBe(1);
  lose();
  connect();
  expect(reconnections.count).toBe(2);
});

test("a first connection after failed attempts is no reconnection", () => {
  const { reconnections, connect, lose } = connection();
  lose();
  lose();
  connect();
  expect(reconnections.count).toBe(0);
});

test("stopping a session without a connection is no reconnection, but the connection after it is", () => {
  const { live, reconnections, connect, lose } = connection();
  connect();
  lose();
  live.stop();
  expect(reconnections.count).toBe(0);
  lose();
  connect();
  expect(reconnections.count).toBe(1);
});

test("the duration counts audio, not time, and continues that of an earlier page", () => {
  const position = new AudioPosition();
  position.reset(false);
  position.add(24_000);
  expect([position.seconds, position.shown.value]).toEqual([1.5, 1]);
  // An earlier page has sent ten seconds of audio: an empty piece has their position.
  position.reset(true, 8_000);
  expect(position.isAligned).toBe(false);
  position.acknowledged(160_000, 160_000);
  position.add(8_000);
  position.acknowledged(160_000, 176_000);
  expect([position.isAligned, position.seconds]).toEqual([true, 11]);
});

test("audio that is sent again after a reload is counted once", () => {
  const position = new AudioPosition();
  position.reset(true, 8_000);
  position.add(16_000);
  // The empty piece follows the audio that was sent again.
  position.acknowledged(192_000, 192_000);
  expect(position.isAligned).toBe(false);
  position.acknowledged(160_000, 176_000);
  position.acknowledged(176_000, 192_000);
  expect(position.seconds).toBe(12);
});

test("copied captions have their speakers and translations", async () => {
  await showLanguage("en");
  const words = [" Hello", " there.", " Hi."].map((word, at) => ({
    word,
    start: at,
    end: at + 1,
    confidence: 1,
    speaker: at < 2 ? 0 : 1,
  }));
  const common = { language: "en", start: 0, end: 3, confidence: 1, channel: 0 };
  const lines: Line[] = [
    { id: "a", isFinal: true, utterance: { ...common, text: " Hello there. Hi.", speaker: 0, words } },
    { id: "b", isFinal: true, utterance: { ...common, text: " And now", words: [] } },
  ];
  const translations = { a: { fr: { text: "Bonjour. Salut.", isFinal: true } } };
  expect(captionText(lines, translations, { 1: "Anna" })).toBe(
    "Speaker 0: Hello there. Anna: Hi.\nBonjour. Salut.\nAnd now",
  );
});

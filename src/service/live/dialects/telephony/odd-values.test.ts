// Values that no platform sends, in messages of every telephony wire.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConversationWorld } from "../../../../../test/fixtures/conversation-world.ts";
import type { Conversation, Frame } from "../dialect.ts";
import { DIALECTS } from "../registry.ts";

const ULAW = { encoding: "audio/x-mulaw", sampleRate: 8_000, channels: 1 };
const STARTS: Record<string, object> = {
  "/telephony/twilio": { event: "start", start: { mediaFormat: ULAW } },
  "/telephony/telnyx": { event: "start", start: { media_format: { encoding: "PCMU", sample_rate: 8_000 } } },
  "/telephony/plivo": { event: "start", start: { mediaFormat: ULAW } },
  "/telephony/vapi": { type: "start", encoding: "linear16", container: "raw", sampleRate: 16_000, channels: 2 },
  "/telephony/jambonz": { type: "start", format: "raw", encoding: "LINEAR16", sampleRateHz: 8_000, options: {} },
  "/telephony/freeswitch": {},
};
const MESSAGES = [
  { event: "media", sequenceNumber: 1, media: { payload: "AAA=", track: "inbound", chunk: 1, timestamp: 20 } },
  { event: "error", a: 1 },
  { event: "mark", mark: { name: "a" } },
  { type: "stop" },
  { type: "ping" },
];

class World extends ConversationWorld<Conversation> {
  constructor(path: string) {
    const dialect = DIALECTS.find(({ accepts }) => accepts(path));
    super(dialect?.open({ path, query: new URLSearchParams("key=key"), headers: {}, at: 0 }) as Conversation);
  }

  open(text: string) {
    const waiting: Frame[] = [{ bytes: Buffer.from(text), isBinary: false }];
    const client = { send: async () => undefined, next: async () => waiting.shift() ?? ("idle" as const) };
    return this.find({ judge: (body: object) => ({ body, warnings: [] }) }, [], client);
  }
}

const DEEP = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
const ODD = fc.oneof(
  fc.constantFrom('{"toString":1,"valueOf":1}', "[[[]]]", "null", "true", "-1", "1e400", '"\\u0000"', DEEP),
  fc.constantFrom('{"__proto__":1}', '{"toJSON":1}', '[{"toString":1}]', '{"a":[[[[]]]]}'),
  fc.jsonValue().map((value) => JSON.stringify(value)),
);

/** Paths of the fields of a message, and one of a field that it has not. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, one]) => [
    [name],
    ...pathsOf(one).map((path) => [name, ...path]),
  ]);
  return [...inner, ["customParameters"], ["tracks"], ["custom_parameters"], ["extra_headers"]];
}

/** @returns JSON of the message with another value at the path */
function replaced(message: unknown, [name = "", ...rest]: readonly string[], odd: string): string {
  const fields = Object.entries(message as object).filter(([one]) => one !== name);
  const before = (message as Record<string, unknown>)[name];
  const inner = rest.length > 0 && typeof before === "object" && before !== null ? replaced(before, rest, odd) : odd;
  const texts = fields.map(([one, value]) => `${JSON.stringify(one)}:${JSON.stringify(value)}`);
  return `{${[...texts, `${JSON.stringify(name)}:${inner}`].join(",")}}`;
}

const changed = (messages: readonly object[]) =>
  fc
    .constantFrom(...messages.flatMap((message) => pathsOf(message).map((path) => ({ message, path }))))
    .chain(({ message, path }) => ODD.map((odd) => replaced(message, path, odd)));

describe.each(Object.entries(STARTS))("%s", (path, start) => {
  test("a first message with any value opens a session or is refused", async () => {
    await fc.assert(
      fc.asyncProperty(changed([{ x: 1, ...start }]), async (text) => {
        const finding = await new World(path).open(text);
        if (typeof finding === "object" && "closing" in finding) expect(finding.closing.kind).toMatch(/refused|idle/);
      }),
    );
  });

  test("a later message with any value is read, or left out with a warning", async () => {
    const world = new World(path);
    expect(await world.open(JSON.stringify(start))).toEqual({ found: "session" });
    const { conversation } = world;
    fc.assert(
      fc.property(changed(MESSAGES), (text) => {
        expect(Array.isArray(conversation.commandsOf(Buffer.from(text), false))).toBe(true);
      }),
    );
  });
});

test.each([
  `{"event":"media","media":{"payload":"AAA=","track":{"toString":1,"valueOf":1}}}`,
  `{"event":"media","media":{"payload":"AAA=","track":${DEEP}}}`,
  `{"event":"error","a":${DEEP}}`,
])("the audio after an odd message is kept", async (text) => {
  const world = new World("/telephony/plivo");
  await world.open(JSON.stringify(STARTS["/telephony/plivo"]));
  world.send(text);
  world.send({ event: "media", media: { payload: "AAA=" } });
  expect(world.kinds).toEqual(["unreadable", "audio"]);
});

test("brackets in a text are not nesting", async () => {
  const world = new World("/telephony/plivo");
  await world.open(JSON.stringify(STARTS["/telephony/plivo"]));
  world.send({ event: "media", note: "[".repeat(100), media: { payload: "AAA=" } });
  expect(world.kinds).toEqual(["audio"]);
});

describe("extra_headers of Plivo", () => {
  test.each<[unknown, object]>([
    ["a=1;b=2", { a: "1", b: "2" }],
    ["{a=1, b=2}", { a: "1", b: "2" }],
    ["a: 1, b: x=y", { a: "1", b: "x=y" }],
    ['{"a":"1","b":"x,y"}', { a: "1", b: "x,y" }],
    ["{'a': '1'}", { a: "1" }],
    [{ a: "1" }, { a: "1" }],
    ["a-key-alone", {}],
  ])("%j", async (headers, metadata) => {
    const world = new World("/telephony/plivo");
    await world.open(JSON.stringify({ ...STARTS["/telephony/plivo"], extra_headers: headers }));
    expect(world.body.custom_metadata).toEqual({ platform: "plivo", ...metadata });
    const unnamed = ["a parameter of start has no effect: it has no name"];
    expect(world.created[0]?.warnings).toEqual(headers === "a-key-alone" ? unnamed : []);
  });

  test.each(['{"key":"key"}', "key: key", "{key: key}", "'key':'key'", "key=key"])("%s has a key", async (headers) => {
    const world = new World("/telephony/plivo");
    await world.open(JSON.stringify({ ...STARTS["/telephony/plivo"], extra_headers: headers }));
    expect(JSON.stringify(world.body)).not.toContain("key");
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader, eventBytes, MOST_DATA_BYTES, MOST_LINE_BYTES, MOST_PAYLOAD_BYTES, type Part } from "./framing.ts";

interface Sent {
  type: string;
  data: Record<string, unknown>;
  payload: Buffer;
  /** Part of the data in the line itself, as clients before version 1.2 of the library send it. */
  inline: Record<string, unknown>;
}

/** As the protocol's own library writes an event. */
function written({ type, data, inline, payload }: Sent): Buffer {
  const bytes = Buffer.from(JSON.stringify(data));
  const head = {
    type,
    data: inline,
    version: "1.9.0",
    ...(Object.keys(data).length > 0 ? { data_length: bytes.length } : {}),
    ...(payload.length > 0 ? { payload_length: payload.length } : {}),
  };
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  return Buffer.concat([line, ...(Object.keys(data).length > 0 ? [bytes] : []), payload]);
}

function read(reader: EventReader, chunks: readonly Buffer[]) {
  const events: { type: string; data: unknown; payload: Buffer }[] = [];
  for (const chunk of chunks) {
    for (const part of reader.push(chunk)) {
      if (part.kind === "event") events.push({ ...part.event, payload: Buffer.alloc(0) });
      else {
        const last = events.at(-1) as { payload: Buffer };
        last.payload = Buffer.concat([last.payload, part.bytes]);
      }
    }
  }
  return events.map(({ type, data, payload }) => ({ type, data, payload: payload.toString("hex") }));
}

const problem = (text: string | Buffer) => {
  const reader = new EventReader();
  try {
    return [...reader.push(Buffer.from(text))] as Part[];
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const data = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
const event = fc.record({
  type: fc.string({ minLength: 1 }),
  data,
  inline: data,
  payload: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
});

test("events are read the same however the network divides them", () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (sent, sizes) => {
        const bytes = Buffer.concat(sent.map(written));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += chunks.at(-1)?.length ?? 0) {
          chunks.push(bytes.subarray(at, at + (sizes.next().value as number)));
        }
        const whole = sent.map((one) => ({
          type: one.type,
          data: JSON.parse(JSON.stringify({ ...one.inline, ...one.data })),
          payload: one.payload.toString("hex"),
        }));
        const reader = new EventReader();
        expect(read(reader, chunks)).toEqual(whole);
        expect(reader.isWithinEvent || reader.isWithinPayload).toBe(false);
      },
    ),
    { numRuns: 200 },
  );
});

test("any bytes give events or an error of the catalogue", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (chunks) => {
      const found = problem(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))));
      expect(Array.isArray(found) || /^live\.wyoming_event(_too_large)?$/.test(found)).toBe(true);
    }),
  );
});

test.each([
  ["an HTTP request", "POST / HTTP/1.1\r\nhost: localhost\r\n\r\n", "live.wyoming_event"],
  ["a list", "[]\n", "live.wyoming_event"],
  ["an empty line", "\n", "live.wyoming_event"],
  ["no type", "{}\n", "live.wyoming_event"],
  ["a type that is no text", '{"type":{"a":1}}\n', "live.wyoming_event"],
  ["data that is no object", '{"type":"ping","data":[1]}\n', "live.wyoming_event"],
  ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a]), "live.wyoming_event"],
  ["a deep length", `{"type":"ping","data_length":${"[".repeat(9_000)}${"]".repeat(9_000)}}\n`, "live.wyoming_event"],
  ["a deep line", `${"[".repeat(60_000)}\n`, "live.wyoming_event"],
  ["a negative length", '{"type":"ping","data_length":-1}\n', "live.wyoming_event"],
  ["a length with a fraction", '{"type":"ping","payload_length":0.5}\n', "live.wyoming_event"],
  ["a length as text", '{"type":"ping","payload_length":"5"}\n', "live.wyoming_event"],
  ["2^53 bytes of data", '{"type":"ping","data_length":9007199254740992}\n', "live.wyoming_event_too_large"],
  ["1e400 bytes of data", '{"type":"ping","data_length":1e400}\n', "live.wyoming_event"],
  [
    "2^53 bytes of payload",
    '{"type":"audio-chunk","payload_length":9007199254740992}\n',
    "live.wyoming_event_too_large",
  ],
  ["a byte of data too many", `{"type":"ping","data_length":${MOST_DATA_BYTES + 1}}\n`, "live.wyoming_event_too_large"],
  ["a line without an end", "x".repeat(MOST_LINE_BYTES + 1), "live.wyoming_event_too_large"],
])("%s is refused", (_, bytes, code) => {
  expect(problem(bytes)).toBe(code);
});

test("the greatest line, data and payload are read, and no payload is collected", () => {
  const line = `{"type":"ping","data":{"text":"${"x".repeat(MOST_LINE_BYTES - 34)}"}}\n`;
  expect(line).toHaveLength(MOST_LINE_BYTES + 1);
  const text = JSON.stringify({ text: "y".repeat(MOST_DATA_BYTES - 11) });
  const reader = new EventReader();
  const parts = [
    ...reader.push(Buffer.from(line)),
    ...reader.push(Buffer.from(`{"type":"ping","data_length":${MOST_DATA_BYTES}}\n${text}`)),
    ...reader.push(Buffer.from(`{"type":"audio-chunk","payload_length":${MOST_PAYLOAD_BYTES}}\n`)),
  ];
  expect(parts.map((part) => part.kind)).toEqual(["event", "event", "event"]);
  const piece = Buffer.alloc(1_000);
  expect([...reader.push(piece)]).toEqual([{ kind: "payload", bytes: piece }]);
  expect(reader.isWithinPayload).toBe(true);
});

test("announced data takes no memory before it comes", () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 1_000 }, () => new EventReader());
  for (const reader of readers)
    expect([...reader.push(Buffer.from('{"type":"ping","data_length":500000}\n{'))]).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  expect(readers.every((reader) => reader.isWithinEvent)).toBe(true);
});

test("an event without fields has no data, and one with fields has its length in bytes", () => {
  expect(eventBytes({ type: "transcript-stop", data: {} }).toString()).toBe('{"type":"transcript-stop"}\n');
  expect(eventBytes({ type: "transcript-chunk", data: { text: "é" } }).toString()).toBe(
    '{"type":"transcript-chunk","data_length":13}\n{"text":"é"}',
  );
});

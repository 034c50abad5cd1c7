// Framing of the Wyoming protocol: a line of JSON, then `data_length` bytes of JSON, then `payload_length` bytes of audio. Memory is
// bounded: the line and the data by their limits, and a payload is handed over as it arrives, never collected.
import type { WyomingEvent } from "../../../../contract/wyoming.ts";
import { errors } from "../../../../platform/errors.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";

/** As the line that the protocol's own library reads: the limit of Python's StreamReader. */
export const MOST_LINE_BYTES = 65_536;
/** 5,000 names and terms of a vocabulary have about 100 kB. */
export const MOST_DATA_BYTES = 524_288;
/** About 23 minutes of 48 kHz stereo: programs that send a whole recording as one event. */
export const MOST_PAYLOAD_BYTES = 268_435_456;
const FIRST_CAPACITY_BYTES = 1_024;
const SHOWN_CHARACTERS = 80;
const NEWLINE = 0x0a;

/** A value of the client, for messages. */
export function shown(value: unknown): string {
  // Printing a list or an object of any depth could exhaust the stack.
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  if (typeof value !== "string") return String(value);
  return storableText(JSON.stringify(beginningOf(value, SHOWN_CHARACTERS)));
}

export interface ReceivedEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
  payloadBytes: number;
}

/** The payload of an event follows it in pieces. */
export type Part = { kind: "event"; event: ReceivedEvent } | { kind: "payload"; bytes: Buffer };

/** Bytes that are collected: memory grows with what has arrived, not with what was announced. */
class Collected {
  private bytes = Buffer.alloc(0);
  length = 0;

  add(piece: Buffer): void {
    const needed = this.length + piece.length;
    if (needed > this.bytes.length) {
      const grown = Buffer.alloc(Math.max(needed, 2 * this.bytes.length, FIRST_CAPACITY_BYTES));
      this.bytes.copy(grown, 0, 0, this.length);
      this.bytes = grown;
    }
    piece.copy(this.bytes, this.length);
    this.length = needed;
  }

  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}

type Head = ReceivedEvent & { dataBytes: number };

export class EventReader {
  private readonly collected = new Collected();
  /** An event whose data has not arrived completely. */
  private head: Head | undefined;
  private payloadLeft = 0;

  /** Whether a line or data has begun and not ended. */
  get isWithinEvent(): boolean {
    return this.head !== undefined || this.collected.length > 0;
  }

  /** Whether a payload has not arrived completely. */
  get isWithinPayload(): boolean {
    return this.payloadLeft > 0;
  }

  /** @param bytes  next bytes of the stream @throws live.wyoming_event, live.wyoming_event_too_large; the stream is then unusable */
  *push(bytes: Buffer): Generator<Part> {
    let at = 0;
    while (at < bytes.length) {
      if (this.payloadLeft > 0) {
        const piece = bytes.subarray(at, at + this.payloadLeft);
        at += piece.length;
        this.payloadLeft -= piece.length;
        yield { kind: "payload", bytes: piece };
        continue;
      }
      const taken = this.head ? this.takeData(bytes.subarray(at), this.head) : this.takeLine(bytes.subarray(at));
      at += taken;
      if (!this.head || this.collected.length < this.head.dataBytes) continue;
      const event = this.complete(this.head);
      this.head = undefined;
      this.payloadLeft = event.payloadBytes;
      yield { kind: "event", event };
    }
  }

  private takeData(bytes: Buffer, { dataBytes }: Head): number {
    const piece = bytes.subarray(0, dataBytes - this.collected.length);
    this.collected.add(piece);
    return piece.length;
  }

  private takeLine(bytes: Buffer): number {
    const end = bytes.indexOf(NEWLINE);
    const piece = end < 0 ? bytes : bytes.subarray(0, end);
    const length = this.collected.length + piece.length;
    if (length > MOST_LINE_BYTES) throw errors.wyomingEventTooLarge("The line", `${length} or more`, MOST_LINE_BYTES);
    this.collected.add(piece);
    if (end < 0) return bytes.length;
    this.head = headOf(this.collected.take());
    return end + 1;
  }

  private complete({ dataBytes, ...event }: Head): ReceivedEvent {
    if (dataBytes === 0) return event;
    return { ...event, data: { ...event.data, ...objectIn(this.collected.take(), "the data") } };
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function objectIn(bytes: Buffer, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw errors.wyomingEventRefused(
      `${what} must be JSON in UTF-8; it begins with ${shown(bytes.toString("latin1", 0, SHOWN_CHARACTERS))}`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw errors.wyomingEventRefused(`${what} must be a JSON object`);
  }
  return value as Record<string, unknown>;
}

function headOf(line: Buffer): Head {
  const head = objectIn(line, "the header line of the event");
  const { type, data } = head;
  if (typeof type !== "string" || type === "") throw errors.wyomingEventRefused("type must be a non-empty string");
  if (data !== undefined && data !== null && (typeof data !== "object" || Array.isArray(data))) {
    throw errors.wyomingEventRefused("data must be a JSON object");
  }
  return {
    type,
    data: (data ?? {}) as Record<string, unknown>,
    dataBytes: lengthIn(head, "data_length", "The data", MOST_DATA_BYTES),
    payloadBytes: lengthIn(head, "payload_length", "The payload", MOST_PAYLOAD_BYTES),
  };
}

function lengthIn(head: Record<string, unknown>, name: string, what: string, most: number): number {
  const value = head[name] ?? 0;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw errors.wyomingEventRefused(`${name} must be a whole number, 0 or more; it is ${shown(value)}`);
  }
  if (value > most) throw errors.wyomingEventTooLarge(what, String(value), most);
  return value;
}

/** @returns the bytes of an event */
export function eventBytes({ type, data }: WyomingEvent): Buffer {
  const text = Buffer.from(JSON.stringify(data));
  const hasData = Object.keys(data).length > 0;
  const line = Buffer.from(`${JSON.stringify({ type, ...(hasData ? { data_length: text.length } : {}) })}\n`);
  return hasData ? Buffer.concat([line, text]) : line;
}

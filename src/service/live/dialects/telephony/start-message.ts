// The first message of a connection: small JSON, whose fields state the format of the audio. Never throws.
import { type Fields, readTextMessage, shown, wrongType } from "../text-message.ts";

export type StartMessage = { fields: Fields; unknown(...known: string[]): string[] } | { refused: string };

/** @returns a message of the type `start` */
export function readStartMessage(bytes: Buffer, isBinary: boolean): StartMessage {
  if (isBinary) return { refused: "audio came before the message start" };
  const message = readTextMessage(bytes, "start");
  if ("refused" in message) return message;
  return message.type === "start" ? message : { refused: wrongType(message.type, "start") };
}

export const unknownFields = (names: readonly string[]): string[] =>
  names.map((name) => `${name} has no effect: it is not a field of start`);

/** Judges fields of a start message. */
export class StartFields {
  readonly problems: string[] = [];

  constructor(private readonly fields: Fields) {}

  /** A missing field is right. */
  expect(name: string, allowed: string): void {
    const value = this.fields[name] ?? allowed;
    if (typeof value === "string" && value.toLowerCase() === allowed.toLowerCase()) return;
    this.problems.push(`${name} must be ${allowed}; it is ${shown(String(JSON.stringify(value)))}`);
  }

  oneOf(name: string, allowed: readonly number[], missing: number): number {
    const value = this.fields[name] ?? missing;
    if (typeof value === "number" && allowed.includes(value)) return value;
    this.problems.push(`${name} must be one of ${allowed.join(", ")}; it is ${shown(String(JSON.stringify(value)))}`);
    return missing;
  }

  isTrue(name: string): boolean {
    const value = this.fields[name] ?? false;
    if (typeof value === "boolean") return value;
    this.problems.push(`${name} must be true or false; it is ${shown(String(JSON.stringify(value)))}`);
    return false;
  }
}

export const PCM_BIT_DEPTH = 16;

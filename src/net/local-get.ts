// A quick look at what answers on this machine.
import { request } from "undici";
import { limitedText } from "./connection.ts";

const TIMEOUT_MILLISECONDS = 700;
const MOST_BYTES = 1_000_000;

/** @param port  of the loopback interface @returns the JSON that answers there; undefined when none does at once */
export async function getLocalJson(port: number, path: string): Promise<unknown> {
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      headers: { accept: "application/json" },
    });
    const text = await limitedText(body as AsyncIterable<Uint8Array>, MOST_BYTES);
    return statusCode === 200 ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

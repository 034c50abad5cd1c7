// From the command line to the service on the same machine.
import { request } from "undici";
import { errors } from "../errors.ts";

const TIMEOUT_MILLISECONDS = 10_000;

/** @throws service.not_ready if nothing listens there */
export async function postLocally(
  port: number,
  token: string,
  body: string,
): Promise<{ status: number; text: string }> {
  try {
    const response = await request(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    return { status: response.statusCode, text: await response.body.text() };
  } catch {
    throw errors.notReady("the running service does not answer; if it has just ended, try again");
  }
}

// Makes another job of a recording that the service has.
import { send } from "../api.ts";
import type { Values } from "../parts/schema-form.tsx";
import type { CreatedJob } from "../shapes.ts";

/** @returns the id of the new job @throws ApiError */
export async function sendAgain(name: string | null | undefined, body: Values): Promise<string> {
  const { id } = await send<CreatedJob>("POST", "/v2/pre-recorded", body);
  // The new recording exists: without its name, another request would make a second one.
  if (name) await send("PATCH", `/v2/transcription/${id}`, { name }).catch(() => undefined);
  return id;
}

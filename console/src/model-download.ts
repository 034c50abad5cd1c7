// Requests that need a model of the service: the person allows its download, with its size before them.
import { ApiError } from "./api.ts";
import { codeOf } from "./language/messages.ts";
import { sleep } from "./sleep.ts";

const AGAIN_MILLISECONDS = 3_000;

/** `needed`: it is not installed, and its download is not allowed yet. `failed`: its download failed. */
export type ModelState = "needed" | "coming" | "failed";

/** Why the service refused a request; undefined for a reason that has nothing to do with a model. */
export async function modelStateOf(error: unknown): Promise<ModelState | undefined> {
  if (!(error instanceof ApiError)) return undefined;
  switch (await codeOf(error.message)) {
    case "language_model.not_installed":
    case "language_model.not_installed.unsized":
      return "needed";
    case "language_model.on_its_way":
      return "coming";
    case "models.missing":
      return "failed";
    default:
      return undefined;
  }
}

/**
 * Sends a request again while its model is being downloaded.
 * @param send     only its first call may begin a download
 * @param onWait   receives the message with the progress
 * @throws what `send` fails with, but for a download that has not ended
 */
export async function whenModelIsThere<Answer>(
  send: (mayFetch: boolean) => Promise<Answer>,
  mayFetch: boolean,
  onWait: (message: string) => void,
  signal: AbortSignal,
): Promise<Answer> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await send(mayFetch && isFirst);
    } catch (error) {
      if ((await modelStateOf(error)) !== "coming") throw error;
      onWait((error as ApiError).message);
    }
    await sleep(AGAIN_MILLISECONDS);
    signal.throwIfAborted();
  }
}

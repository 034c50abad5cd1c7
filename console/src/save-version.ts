// Changes of what other people may change, too: each is sent with the version that it was made for.
import { ApiError } from "./api.ts";

const NOT_FOUND = 404;
const CONFLICT = 409;

/** `saved`, `deleted` if another person has deleted it, or the version that another person has stored. */
export type SaveOutcome<Kind> = "saved" | "deleted" | Kind;

/**
 * @param before  the version that the change was made for
 * @param send    sends the change
 * @param read    reads the present version; undefined if there is none
 * @throws ApiError  if the service refuses the change for another reason
 */
export async function saveVersion<Kind extends { version: number }>(
  before: Kind,
  send: () => Promise<unknown>,
  read: () => Promise<Kind | undefined>,
): Promise<SaveOutcome<Kind>> {
  try {
    await send();
    return "saved";
  } catch (error) {
    if (!(error instanceof ApiError && [NOT_FOUND, CONFLICT].includes(error.status))) throw error;
    const now = await read();
    if (now?.version === before.version) throw error;
    return now ?? "deleted";
  }
}

// Headers in which clients send their account key (PARLANCE_KEY_HEADERS).
import type { Settings } from "./settings.ts";

/** Names as the operator wrote them. */
export const keyHeaderNames = ({ keyHeaders }: Pick<Settings, "keyHeaders">): string[] =>
  keyHeaders.split(",").map((name) => name.trim());

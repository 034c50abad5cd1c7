// The tags of the account, as suggestions.
import { signal } from "@preact/signals";
import { errorMessage, get } from "../api.ts";
import type { AccountTags } from "../shapes.ts";
import { notice } from "./notices.tsx";

/** Those of the most recordings first, as they were when they were last loaded. */
export const accountTags = signal<readonly string[]>([]);

/** Called when a field is opened that suggests tags. */
export async function loadAccountTags(): Promise<void> {
  try {
    accountTags.value = (await get<AccountTags>("/v2/tags")).items.map(({ tag }) => tag);
  } catch (error) {
    notice(errorMessage(error), "bad");
  }
}

// The tags of the account, as suggestions.
import { signal } from "@preact/signals";
import { get } from "./api.ts";
import { attempt } from "./attempt.ts";
import type { AccountTags } from "./shapes.ts";

/** Those of the most recordings first, as they were when they were last loaded. */
export const accountTags = signal<readonly string[]>([]);

/** Called when a field is opened that suggests tags. */
export const loadAccountTags = (): Promise<void> =>
  attempt(async () => {
    accountTags.value = (await get<AccountTags>("/v2/tags")).items.map(({ tag }) => tag);
  });

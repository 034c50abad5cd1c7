// Options that a person keeps by name, in this browser, for each account.
import { computed, signal } from "@preact/signals";
import { shownAccountName } from "./account.ts";
import { keep, readKept } from "./kept.ts";
import { whenStoredElsewhere } from "./memory.ts";
import type { Values } from "./parts/schema.ts";

type Presets = Readonly<Record<string, Values>>;

const STORED = "presets.";
const changes = signal(0);
whenStoredElsewhere(STORED, () => {
  changes.value++;
});

const storedName = () => STORED + (shownAccountName.value ?? "");

/** Those of the account that is signed in. */
export const presets = computed<Presets>(() => {
  void changes.value;
  return readKept<Presets>(storedName()) ?? {};
});

function store(next: Presets): void {
  keep(storedName(), next);
  changes.value++;
}

/** In place of a preset of the same name. */
export const keepPreset = (name: string, options: Values): void => store({ ...presets.value, [name]: options });

export function dropPreset(name: string): void {
  const { [name]: _, ...others } = presets.value;
  store(others);
}

/** Serialises options with sorted names, so that equal options have equal texts. */
function written(value: unknown): string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, own]) => `${name}:${written(own)}`).join()}}`;
}

/** Name of the preset that these options are; undefined where they are those of none. */
export const presetOf = (options: Values): string | undefined =>
  Object.entries(presets.value).find(([, kept]) => written(kept) === written(options))?.[0];

// The one place that knows which engines exist. A new engine is a new folder and one line here.
import { moonshineBase, moonshineTiny } from "./moonshine/engine.ts";
import type { Engine } from "./recognizer.ts";

const ENGINES: readonly Engine[] = [moonshineBase, moonshineTiny];

/** Names under which clients of hosted services ask for a model; all mean the default one. */
const DEFAULT_ALIASES = new Set(["solaria-1", "solaria-3", "solaria-fusion", "default"]);

export function engines(): readonly Engine[] {
  return ENGINES;
}

export function engineIds(): string[] {
  return ENGINES.map((engine) => engine.id);
}

/** Every name that `findEngine` knows. */
export function modelNames(): string[] {
  return [...engineIds(), ...DEFAULT_ALIASES];
}

/** @returns the engine of a model id or alias; the default one when no name is given; undefined when unknown */
export function findEngine(name: string | undefined, defaultId: string): Engine | undefined {
  const id = name === undefined || DEFAULT_ALIASES.has(name) ? defaultId : name;
  return ENGINES.find((engine) => engine.id === id);
}

/** Languages that some installed engine recognises. */
export function installedLanguages(): Set<string> {
  return new Set(ENGINES.flatMap((engine) => engine.languages));
}

// Choices that are stored in this browser, and typed text until the service has stored it. Keys are never stored.
const PREFIX = "parlance.";

export function readChoice<Value>(name: string, fallback: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as Value);
  } catch {
    return fallback;
  }
}

/** @returns false if the storage is unavailable or full: the value lasts for this visit only */
export function storeChoice(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Calls `listener` when another page of this browser stores or forgets a value whose name begins so. @returns stops that */
export function whenStoredElsewhere(beginning: string, listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key?.startsWith(PREFIX + beginning)) listener();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Storage is unavailable: nothing is stored.
  }
}

/** Names of what is stored, by their beginning. */
export function namesOf(beginning: string): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
    return keys.filter((key) => key.startsWith(PREFIX + beginning)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

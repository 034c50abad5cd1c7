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

export function storeChoice(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is unavailable: the choice lasts for this visit.
  }
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

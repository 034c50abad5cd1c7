// Choices that are stored in this browser. Keys and transcripts are never stored.
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

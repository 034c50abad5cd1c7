// custom_metadata in the form that list filters look into: every scalar as text, so that 5 and "5" are the same.

export function metadataFilter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(metadataFilter);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, metadataFilter(inner)]));
  }
  return String(value);
}

// Shares one reading between all requests of a short time.

/**
 * @param milliseconds  age at which the next request makes a new reading
 * @returns a function that gives the shared reading. A reading that fails is not kept: the next request makes a new one
 */
export function sharedFor<Reading>(milliseconds: number, read: () => Promise<Reading>): () => Promise<Reading> {
  let known: { at: number; reading: Promise<Reading> } | undefined;
  return () => {
    const now = performance.now();
    if (known && now - known.at <= milliseconds) return known.reading;
    const latest = { at: now, reading: read() };
    known = latest;
    latest.reading.catch(() => {
      if (known === latest) known = undefined;
    });
    return latest.reading;
  };
}

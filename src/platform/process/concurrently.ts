/**
 * Runs `work` for each item, at most `limit` at once. After an error no further item is started.
 * @returns the results, in the order of the items
 * @throws the first error, once the items that were started have ended
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  let failure: { error: unknown } | undefined;
  const loop = async () => {
    for (const [at, item] of rest) {
      if (failure) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, loop));
  if (failure) throw failure.error;
  return results;
}

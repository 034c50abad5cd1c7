/**
 * Some of these items, in random order. Items that fail each time then do not keep the items behind them waiting.
 * @param random  from 0 to 1
 */
export function randomSome<Item>(items: readonly Item[], most: number, random = Math.random): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((left, right) => left.place - right.place)
    .slice(0, most)
    .map(({ item }) => item);
}

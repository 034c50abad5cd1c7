/**
 * Binary search.
 * @param isReached  must hold for all places after one at which it holds
 * @returns the lowest place from 0 to `count` at which the test holds; `count` without one
 */
export function lowestPlace(count: number, isReached: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sum of the products of the elements; of vectors of unit length, the cosine of the angle between them. */
export function dotProduct(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return sum;
}

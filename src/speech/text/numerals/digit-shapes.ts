// Groups of digits: which are those of known numbers, which are years or steps.

/** Sizes of the groups in which people say telephone, card and social security numbers. */
const SHAPES: readonly (readonly number[])[] = [
  [3, 4],
  [3, 3, 4],
  [1, 3, 3, 4],
  [3, 2, 4],
  [4, 6, 5],
  [4, 4, 4, 4],
];

const endsOf = (sizes: readonly number[]): number[] => {
  let sum = 0;
  return sizes.map((size) => {
    sum += size;
    return sum;
  });
};

/** The known number that groups of digits make up, each of them one or more of its groups. */
export function shapeOf(groups: readonly string[], isFinerAllowed: boolean): readonly number[] | undefined {
  const ends = endsOf(groups.map(({ length }) => length));
  return SHAPES.find((shape) => {
    const known = endsOf(shape);
    if (known.at(-1) !== ends.at(-1)) return false;
    const isCoarser = ends.every((end) => known.includes(end));
    return isCoarser || (isFinerAllowed && known.every((end) => ends.includes(end)));
  });
}

export const isYear = (group: string) => group.length === 4 && Number(group) >= 1000 && Number(group) <= 2100;
/** Whether numbers count in equal steps: "5, 10, 15". */
export const isSeries = (groups: readonly string[]) => {
  const steps = groups.slice(1).map((group, at) => Number(group) - Number(groups[at]));
  return steps.length > 1 && steps.every((step) => step === steps[0] && step !== 0);
};

/** A French telephone number: "06, 12, 34, 56, 78". */
export const isInPairs = (groups: readonly string[]) =>
  groups.length === 5 && groups.every(({ length }) => length === 2) && groups[0]?.[0] === "0";

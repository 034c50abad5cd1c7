// An order of places in a recording in which any number of the first ones are spread evenly.

/** Share of the circle that lies between neighbours of a golden spiral. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** @returns place of the number `at`, as a share of the recording: 0 for the first one, always below 1 */
export const spreadPlace = (at: number): number => (at * GOLDEN) % 1;

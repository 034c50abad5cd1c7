// The only timer that the console awaits.

/** Resolves after `milliseconds`. */
export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** How often a child that works on several calls side by side sends that it is alive. */
export const ALIVE_MILLISECONDS = 1_000;

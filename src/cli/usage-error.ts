/** A command line that is invalid. Only the message is printed. */
export class UsageError extends Error {}

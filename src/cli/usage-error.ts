/** A call that cannot be understood. The message is all that the user sees. */
export class UsageError extends Error {}

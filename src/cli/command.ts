export interface Command {
  name: string;
  /** One line that shows how it is called. */
  synopsis: string;
  /** One line that says what it does. */
  summary: string;
  run(args: string[]): Promise<void>;
}

/** A call that cannot be understood. The message is all that the user sees. */
export function usageError(message: string): Error {
  return Object.assign(new Error(message), { isUsage: true });
}

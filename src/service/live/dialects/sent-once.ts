// What a client is sent once on a connection, such as the name of an unknown field: clients usually repeat it in every message.

/** Different names or warnings that a connection is sent. */
const MOST_DIFFERENT = 50;

/** Texts that a client is sent once each. */
export class SentOnce {
  private readonly sent = new Set<string>();

  /** In the order in which they were sent. */
  get all(): string[] {
    return [...this.sent];
  }

  /** @returns those of the texts that were not sent before, while there are not too many */
  fresh(texts: readonly string[]): string[] {
    const fresh = texts.filter((text) => !this.sent.has(text) && this.sent.size < MOST_DIFFERENT);
    for (const text of fresh) this.sent.add(text);
    return fresh;
  }
}

// Connections that are open before their clients are authenticated: those whose key comes in their first message. Bounds their number
// and the time that they wait.

/** Connections at once: with more, the one that waits longest is closed. Platforms send their first message at once. */
const MOST_WAITING = 100;
/** A connection without a session after it is closed, even if a message is arriving. */
const MOST_MILLISECONDS = 30_000;

export interface LateClientsOptions {
  most?: number;
  milliseconds?: number;
}

export interface LateClient {
  /** It has sent no key for too long. */
  expire(): void;
  /** Ends the connection at once: another one takes its place. */
  displace(): void;
}

export class LateClients {
  /** In order of arrival. */
  private readonly waiting = new Map<LateClient, NodeJS.Timeout>();

  constructor(private readonly options: LateClientsOptions = {}) {}

  get size(): number {
    return this.waiting.size;
  }

  /** @returns to be called when the session of the client is found, or the connection is closed */
  add(client: LateClient): () => void {
    const { most = MOST_WAITING, milliseconds = MOST_MILLISECONDS } = this.options;
    const [oldest] = this.waiting.size >= most ? this.waiting.keys() : [];
    if (oldest) {
      this.remove(oldest);
      oldest.displace();
    }
    const expire = () => {
      this.remove(client);
      client.expire();
    };
    this.waiting.set(client, setTimeout(expire, milliseconds).unref());
    return () => this.remove(client);
  }

  private remove(client: LateClient): void {
    clearTimeout(this.waiting.get(client));
    this.waiting.delete(client);
  }
}

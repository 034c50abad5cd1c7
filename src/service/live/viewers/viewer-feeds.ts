// Viewers of live sessions that are connected to this process. Those of sessions in other processes read the database.

/** A message for viewers. @property number  of a stored message; undefined for a partial */
export interface FedMessage {
  number?: number;
  /** Of the message. */
  type: string;
  message: string;
}

type Viewer = (fed: FedMessage) => void;

export class ViewerFeeds {
  private readonly viewers = new Map<string, Set<Viewer>>();

  /** Calls `viewer` with each message of a session. @returns a function that ends that */
  watch(sessionId: string, viewer: Viewer): () => void {
    const own = this.viewers.get(sessionId) ?? new Set();
    this.viewers.set(sessionId, own.add(viewer));
    return () => {
      own.delete(viewer);
      if (own.size === 0 && this.viewers.get(sessionId) === own) this.viewers.delete(sessionId);
    };
  }

  /** Number of viewers in this process. */
  countOf(sessionId: string): number {
    return this.viewers.get(sessionId)?.size ?? 0;
  }

  send(sessionId: string, fed: FedMessage): void {
    for (const viewer of this.viewers.get(sessionId) ?? []) viewer(fed);
  }
}

// Plays a stream whose protocol frames its packets, over one connection and those to which its server redirects.
import type { Socket } from "node:net";
import type { StreamAddress } from "../../../../platform/addresses/stream-address.ts";
import { errors } from "../../../../platform/errors.ts";
import type { MediaPart, PacketSource } from "./media-part.ts";

const MOST_REDIRECTS = 5;

export interface PacketSession {
  /** @returns the address to which the server redirects; undefined when a recording has ended */
  play(): AsyncGenerator<MediaPart, StreamAddress | undefined>;
  /** Ends the connection. May be called again. */
  end(): void;
}

/** Plays a source. Each address is judged as the first one. @throws live.source_failed, live.source_refused */
export async function* playThrough(
  { address, connect, signal }: PacketSource,
  begin: (socket: Socket, address: StreamAddress) => PacketSession,
): AsyncGenerator<MediaPart, void> {
  let current = address;
  for (let redirect = 0; redirect <= MOST_REDIRECTS; redirect++) {
    const session = begin(await connect(current), current);
    const end = () => session.end();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      const next = yield* session.play();
      if (!next) return;
      current = next;
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }
  throw errors.liveSourceRefused(`its server redirects more than ${MOST_REDIRECTS} times`);
}

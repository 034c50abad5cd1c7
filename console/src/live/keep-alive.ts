// Keeps a session open while it receives no audio. The service ends one after 30 seconds without audio (PARLANCE_LIVE_IDLE_SECONDS).
import { effect } from "@preact/signals";
import type { LiveSession } from "./session.ts";
import tickerAddress from "./ticker.js?url";

/**
 * Sends an empty piece at each connection and every five seconds. Its acknowledgment has the length of the session's audio.
 * @param isSilent  whether the session receives no audio now
 * @returns stops the empty pieces
 */
export function keepAlive(session: LiveSession, isSilent: () => boolean): () => void {
  const send = () => {
    if (isSilent()) session.keepAlive();
  };
  const ticker = new Worker(tickerAddress);
  ticker.onmessage = send;
  const stopWatching = effect(() => {
    // After the unacknowledged audio, which is sent when the connection opens.
    if (session.connection.value === "open") queueMicrotask(send);
  });
  return () => {
    stopWatching();
    ticker.terminate();
  };
}

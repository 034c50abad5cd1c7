// How much of what was written to a socket the kernel has taken. Node counts a write when it is handed over, and says nothing of
// how much of a large one was written: only the handle has it.
import type { Socket } from "node:net";

interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

const handleOf = (socket: Socket): Handle | null | undefined => (socket as { _handle?: Handle | null })._handle;

/** Bytes that wait in this process for the client to read. */
export function unsentBytes(socket: Socket): number {
  return Math.max(socket.writableLength, handleOf(socket)?.writeQueueSize ?? 0);
}

/** Bytes that have left this process; grows while the client reads. */
export function sentBytes(socket: Socket): number {
  const handle = handleOf(socket);
  return (handle?.bytesWritten ?? socket.bytesWritten) - (handle?.writeQueueSize ?? 0);
}

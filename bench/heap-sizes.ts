// Size of V8's heap in running processes of Node, which the operating system does not distinguish from other memory. Node opens its
// inspector at SIGUSR1; the port is the same for every process, so that they are queried one after another.
import { once } from "node:events";
import { WebSocket } from "ws";
import { sleep } from "../src/platform/process/sleep.ts";

const INSPECTOR = "http://127.0.0.1:9229/json/list";
const PAUSE_MILLISECONDS = 20;
const MOST_PAUSES = 250;

/** @param wanted  whether the inspector must answer, or must be closed */
async function inspectorAddress(wanted: boolean): Promise<string | undefined> {
  for (let pause = 0; pause < MOST_PAUSES; pause++) {
    const address = await fetch(INSPECTOR)
      .then((response) => response.json() as Promise<{ webSocketDebuggerUrl?: string }[]>)
      .then(
        ([first]) => first?.webSocketDebuggerUrl,
        () => undefined,
      );
    if ((address !== undefined) === wanted) return address;
    await sleep(PAUSE_MILLISECONDS);
  }
  return undefined;
}

/** Bytes that V8 has committed for the heap of the main thread. @returns undefined if the process does not answer */
async function heapBytes(processId: number): Promise<number | undefined> {
  process.kill(processId, "SIGUSR1");
  const address = await inspectorAddress(true);
  if (address === undefined) return undefined;
  const socket = new WebSocket(address);
  await once(socket, "open");
  // Closes the inspector once the answer is sent.
  const expression =
    "(() => { setTimeout(() => process._debugEnd(), 50); return String(process.memoryUsage().heapTotal); })()";
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } }));
  const [message] = (await once(socket, "message")) as [Buffer];
  socket.terminate();
  await inspectorAddress(false);
  return Number((JSON.parse(message.toString()) as { result: { result: { value: string } } }).result.result.value);
}

/** Committed heap of the main thread of each process, bytes. Processes that do not answer are missing. */
export async function heapSizes(processIds: readonly number[]): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const id of processIds) {
    const bytes = await heapBytes(id).catch(() => undefined);
    if (bytes !== undefined) found.set(id, bytes);
  }
  return found;
}

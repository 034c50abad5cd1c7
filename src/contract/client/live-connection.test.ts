// The client's end of a live session, with sockets of the test.
import { expect, test, vi } from "vitest";
import { LiveConnection, type Socket } from "./live-connection.ts";

class TestSocket implements Socket {
  binaryType = "";
  readyState = 0;
  readonly sent: (string | number)[] = [];
  onopen: ((event: never) => unknown) | null = null;
  onmessage: ((event: never) => unknown) | null = null;
  onclose: ((event: never) => unknown) | null = null;
  onerror: ((event: never) => unknown) | null = null;

  send(data: Uint8Array | string): void {
    this.sent.push(typeof data === "string" ? data : data.length);
  }
  close(): void {}

  open(): void {
    this.readyState = 1;
    this.onopen?.({} as never);
  }
  acknowledge(from: number, end: number): void {
    const data = { byte_range: [from, end], time_range: [0, 0] };
    this.onmessage?.({ data: JSON.stringify({ type: "audio_chunk", acknowledged: true, error: null, data }) } as never);
  }
  end(code: number): void {
    this.onclose?.({ code, reason: "" } as never);
  }
}

function connected(isJoined: boolean) {
  const socket = new TestSocket();
  const ends: [string | undefined, boolean][] = [];
  const events = {
    onState: () => undefined,
    onMessage: () => undefined,
    onEnded: (problem: string | undefined, isReplaced: boolean) => void ends.push([problem, isReplaced]),
  };
  const live = new LiveConnection(() => socket, events, isJoined);
  socket.open();
  return { socket, live, ends };
}

const lengths = ({ pending }: LiveConnection) => pending.map(({ bytes }) => bytes.length);

test("acknowledged audio is dropped", () => {
  const { socket, live } = connected(false);
  for (const length of [10, 20, 30]) live.sendAudio(new Uint8Array(length));
  socket.acknowledge(0, 10);
  expect(lengths(live)).toEqual([20, 30]);
});

test("the first acknowledgment gives the place of the audio of a client that joins a session", () => {
  const { socket, live } = connected(true);
  live.keepAlive();
  for (const length of [10, 20, 30]) live.sendAudio(new Uint8Array(length));
  expect(socket.sent).toEqual([0, 10, 20, 30]);
  // Of the empty piece.
  socket.acknowledge(5_000, 5_000);
  expect(lengths(live)).toEqual([10, 20, 30]);
  socket.acknowledge(5_000, 5_010);
  expect(lengths(live)).toEqual([20, 30]);
  socket.acknowledge(5_010, 5_060);
  expect(lengths(live)).toEqual([]);
});

test("audio is overdue if it was not acknowledged since the last question", () => {
  const { socket, live } = connected(false);
  live.sendAudio(new Uint8Array(10));
  expect(live.overdue()).toEqual([]);
  live.sendAudio(new Uint8Array(20));
  expect(live.overdue().map(({ start }) => start)).toEqual([0]);
  socket.acknowledge(0, 10);
  expect(live.overdue().map(({ start }) => start)).toEqual([10]);
});

test("a client that leaves its session to another one makes no further connection", () => {
  vi.useFakeTimers();
  const sockets: TestSocket[] = [];
  const ends: [string | undefined, boolean][] = [];
  const onEnded = (problem: string | undefined, isReplaced: boolean) => void ends.push([problem, isReplaced]);
  const events = { onState: () => undefined, onMessage: () => undefined, onEnded };
  const open = () => sockets[sockets.push(new TestSocket()) - 1] as TestSocket;
  const live = new LiveConnection(open, events);
  sockets[0]?.end(1012);
  live.leave();
  vi.runAllTimers();
  vi.useRealTimers();
  expect(sockets.length).toBe(1);
  expect(ends).toEqual([[undefined, true]]);
});

test("a connection that another one replaces says so", () => {
  const { socket, ends } = connected(false);
  socket.end(4409);
  expect(ends).toEqual([["The service ended the session (4409)", true]]);
});

// WebSockets between clients and processes of a simulation. Frames of a direction arrive in their order. The two ends
// detect a broken connection at different times, and frames in transit are lost.
import type { Socket } from "../../src/contract/client/live-connection.ts";
import type { Network } from "./network.ts";
import type { Place } from "./virtual-time.ts";

const LOST = 1006;
const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;
/** A broken connection is closed within this time at a client, and at a process, which pings its clients. */
const CLIENT_NOTICES_MILLISECONDS = 10_000;
const PROCESS_NOTICES_MILLISECONDS = 20_000;
/** A proxy gives up a connection that no process accepts. */
const PROXY_MILLISECONDS = 10_000;
const MOST_REFUSAL_MILLISECONDS = 2_000;

/** Frames in one direction. */
class Direction {
  private last = 0;
  isBroken = false;

  constructor(
    private readonly network: Network,
    private readonly to: Place,
  ) {}

  send(run: () => void): void {
    if (this.isBroken) return;
    const { time } = this.network;
    this.last = Math.max(this.last, time.now + this.network.delay(this.to, "clients"));
    time.at(this.to, this.last, () => {
      if (!this.isBroken) run();
    });
  }
}

/** The end of a process. */
export interface ServerEnd {
  /** Answers the upgrade with an error. */
  refuse(): void;
  upgrade(): void;
  /** @throws if the connection is closed */
  send(text: string): void;
  close(code: number, reason: string): void;
  pause(): void;
  resume(): void;
  /** Resolves when the client has received everything so far. */
  arrival(): Promise<void>;
  /** Receives the frames, those that have arrived first. */
  handOver(onFrame: (frame: Uint8Array | string) => void, onClosed: (code: number) => void): void;
  /** The process was killed. */
  vanish(): void;
}

export class Wire {
  private readonly toProcess: Direction;
  private readonly toClient: Direction;
  private isPaused = false;
  /** Whether the process sends nothing more. */
  private isClosedHere = false;
  private closedAs: number | undefined;
  private readonly frames: (Uint8Array | string)[] = [];
  private target: { onFrame: (frame: Uint8Array | string) => void; onClosed: (code: number) => void } | undefined;
  private readonly awaited = new Set<() => void>();
  readonly client: Socket & { readyState: number };
  readonly server: ServerEnd;
  /** Called when the process closes the connection. */
  onRefused = () => {};

  constructor(
    private readonly network: Network,
    private readonly clientPlace: Place,
    private readonly processPlace: Place,
    accept: (end: ServerEnd) => void,
  ) {
    this.toProcess = new Direction(network, processPlace);
    this.toClient = new Direction(network, clientPlace);
    this.client = this.clientEnd();
    this.server = this.serverEnd();
    if (network.isCut(clientPlace, "clients") || processPlace.isDead) {
      network.time.after(clientPlace, 1 + network.random() * MOST_REFUSAL_MILLISECONDS, () =>
        this.closeClient(LOST, ""),
      );
      return;
    }
    this.toProcess.send(() => accept(this.server));
    network.time.after(clientPlace, PROXY_MILLISECONDS, () => {
      if (this.client.readyState === CONNECTING) this.cut();
    });
  }

  /** The connection breaks. */
  cut(clientNoticesMilliseconds = CLIENT_NOTICES_MILLISECONDS): void {
    if (this.toClient.isBroken) return;
    this.toClient.isBroken = true;
    this.toProcess.isBroken = true;
    const { network } = this;
    network.time.after(this.clientPlace, network.random() * clientNoticesMilliseconds, () =>
      this.closeClient(LOST, ""),
    );
    network.time.after(this.processPlace, network.random() * PROCESS_NOTICES_MILLISECONDS, () => this.closeHere(LOST));
  }

  private clientEnd(): Socket & { readyState: number } {
    return {
      binaryType: "arraybuffer",
      readyState: CONNECTING,
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (data) => {
        if (this.client.readyState !== OPEN) return;
        this.toProcess.send(() => {
          this.frames.push(data);
          this.deliver();
        });
      },
      close: () => undefined,
    };
  }

  private serverEnd(): ServerEnd {
    return {
      refuse: () => this.toClient.send(() => this.closeClient(LOST, "")),
      upgrade: () =>
        this.toClient.send(() => {
          if (this.client.readyState !== CONNECTING) return;
          this.client.readyState = OPEN;
          this.client.onopen?.({} as never);
        }),
      send: (text) => {
        if (this.isClosedHere) throw new Error("the connection is closed");
        this.toClient.send(() => {
          if (this.client.readyState === OPEN) this.client.onmessage?.({ data: text } as never);
        });
      },
      close: (code, reason) => {
        if (this.isClosedHere) return;
        this.endHere();
        this.toClient.send(() => {
          this.closeClient(code, reason);
          this.toProcess.send(() => this.closeHere(code));
        });
        // The client may be gone.
        this.network.time.after(this.processPlace, PROXY_MILLISECONDS, () => this.closeHere(LOST));
      },
      pause: () => {
        this.isPaused = true;
      },
      resume: () => {
        this.isPaused = false;
        this.deliver();
      },
      arrival: () => this.arrival(),
      handOver: (onFrame, onClosed) => {
        this.target = { onFrame, onClosed };
        this.deliver();
      },
      vanish: () => this.cut(MOST_REFUSAL_MILLISECONDS),
    };
  }

  private arrival(): Promise<void> {
    if (this.isClosedHere) return Promise.reject(new Error("the connection is closed"));
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error("the connection is closed"));
      this.awaited.add(fail);
      this.toClient.send(() =>
        this.toProcess.send(() => {
          this.awaited.delete(fail);
          resolve();
        }),
      );
    });
  }

  private deliver(): void {
    const { target } = this;
    if (!target) return;
    while (!this.isPaused) {
      const frame = this.frames.shift();
      if (frame === undefined) break;
      if (!this.isClosedHere) target.onFrame(frame);
    }
    if (this.closedAs === undefined) return;
    this.target = undefined;
    target.onClosed(this.closedAs);
  }

  private closeClient(code: number, reason: string): void {
    if (this.client.readyState === CLOSED) return;
    if (code !== LOST) this.onRefused();
    this.client.readyState = CLOSED;
    this.client.onclose?.({ code, reason } as never);
  }

  private endHere(): void {
    this.isClosedHere = true;
    for (const fail of this.awaited) fail();
    this.awaited.clear();
  }

  private closeHere(code: number): void {
    if (this.closedAs !== undefined) return;
    // Frames that have arrived count.
    this.closedAs = code;
    this.isPaused = false;
    this.deliver();
    this.endHere();
  }
}

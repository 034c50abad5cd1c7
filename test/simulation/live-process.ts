// A process with live sessions in a simulation: the registry and the logs of the service, connected to the servers and the
// clients of the simulation.
import path from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import type { Settings } from "../../src/platform/config/settings.ts";
import { errors } from "../../src/platform/errors.ts";
import { NO_TRACING } from "../../src/platform/observability/tracing.ts";
import type { Database } from "../../src/platform/storage/db/database.ts";
import { followClock } from "../../src/platform/storage/db/database-time.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import type { ObjectStore } from "../../src/platform/storage/objects/object-store.ts";
import { CLOSINGS } from "../../src/service/live/connection/closings.ts";
import { gladia } from "../../src/service/live/dialects/gladia/gladia.ts";
import { RECORD_FORMAT } from "../../src/service/live/dialects/registry.ts";
import type { Closing } from "../../src/service/live/events/closing.ts";
import type { AudioCopies } from "../../src/service/live/log/audio-copies.ts";
import { Inbox } from "../../src/service/live/log/inbox.ts";
import { StreamLogs } from "../../src/service/live/log/jetstream/stream-logs.ts";
import { LiveRegistry } from "../../src/service/live/session/registry.ts";
import type { RegistryServices } from "../../src/service/live/session/registry-services.ts";
import type { Session } from "../../src/service/live/session/session.ts";
import type { Connection } from "../../src/service/live/session/session-contract.ts";
import type { InstalledModel } from "../../src/service/models/store.ts";
import { WINDOW_SAMPLES } from "../../src/speech/audio/voice-activity/detector-windows.ts";
import type { SimulatedProcess } from "./machines.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { NatsServers } from "./nats-servers.ts";
import type { Network } from "./network.ts";
import type { ServerEnd } from "./sockets.ts";
import { Place } from "./virtual-time.ts";

const OBJECT_MILLISECONDS = 20_000;
const RESTART_MILLISECONDS = 3_000;
const SILENT = pino({ level: "silent" });

const SETTINGS = {
  ...{ model: "moonshine-base-en", multilingualModel: "", keepsEnglish: true, fetchModels: false },
  ...{ maximumLiveSessions: 0, accountLiveSessions: 0, liveTokenSeconds: 600, speakerModel: "", workers: 64 },
  ...{ liveIdleSeconds: 25, liveGraceSeconds: 60, liveMaximumSeconds: 3_600 },
} as unknown as Settings;

const MODEL = {
  id: SETTINGS.model,
  languages: ["en"],
  capabilities: { languageDetection: false },
} as unknown as InstalledModel;

/** What all processes of a simulation share. */
export interface Servers {
  network: Network;
  nats: NatsServers;
  rows: MemoryRows;
  objects: Map<string, Buffer>;
}

/** Copies of the audio in the memory of a process. */
function copiesInMemory(): AudioCopies {
  const openFile = async () => {
    let bytes = Buffer.alloc(0);
    return {
      get size() {
        return bytes.length;
      },
      append: async (more: Uint8Array) => {
        bytes = Buffer.concat([bytes, more]);
      },
      cutBack: async (size: number) => {
        bytes = bytes.subarray(0, size);
      },
      sync: async () => undefined,
      read: async (start: number, end: number) => Buffer.from(bytes.subarray(start, end)),
      stream: (start: number, end: number) => Readable.from([bytes.subarray(start, end)]),
      close: async () => undefined,
    };
  };
  const disk = new Disk(false);
  return {
    make: (name) => Inbox.open({ folder: path.join("/", name), disk, openFile }),
    remove: async () => undefined,
    removeAll: async () => undefined,
  };
}

function objectsOf(place: Place, { network, objects }: Servers): ObjectStore {
  const late = () => errors.storageUnavailable(new Error("no answer"));
  const ask = <Answer>(work: () => Answer) =>
    network.request<Answer>(place, "objects", (answer) => answer({ value: work() }), OBJECT_MILLISECONDS, late);
  const put = async (key: string, content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    await ask(() => void objects.set(key, bytes));
  };
  return {
    put,
    write: async (key: string, content: Readable) => {
      const pieces: Buffer[] = [];
      for await (const piece of content) pieces.push(Buffer.from(piece));
      const bytes = Buffer.concat(pieces);
      await put(key, bytes);
      return bytes.length;
    },
    remove: (key: string) => ask(() => void objects.delete(key)),
  } as unknown as ObjectStore;
}

const DETECTION = {
  voiceActivity: async (samples: Float32Array) => ({
    probabilities: new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES)),
    state: new Float32Array(1),
  }),
};

export class LiveProcess implements SimulatedProcess {
  readonly place: Place;
  private logs: StreamLogs | undefined;
  private live: LiveRegistry | undefined;
  private connections = 0;
  private stopClock = () => {};
  isReady = false;
  isStopping = false;
  readonly ends = new Set<ServerEnd>();

  constructor(
    readonly machine: string,
    private readonly servers: Servers,
  ) {
    this.place = new Place(machine);
    servers.network.time.after(this.place, 0, () => void this.start());
  }

  private async start(): Promise<void> {
    const { place } = this;
    const database: Database = this.servers.rows.connect(place);
    try {
      this.stopClock = await followClock(database, false);
      this.logs ??= await StreamLogs.connect(
        {
          ...{ database, machine: this.machine, copies: copiesInMemory(), logger: SILENT },
          ...{ url: "", credentialsFile: "", prefix: "p", streams: 2, bytes: 0, replicas: 1, keepSeconds: 86_400 },
        },
        async () => this.servers.nats.broker(place),
      );
      const live = new LiveRegistry({
        ...{ database, objects: objectsOf(place, this.servers), logs: this.logs, recordFormat: RECORD_FORMAT },
        ...{ tracing: NO_TRACING, settings: SETTINGS, detection: DETECTION, logger: SILENT },
        recognition: { idleCount: 0, finalDelay: 0 },
        models: { list: async () => [MODEL], find: async () => MODEL },
        liveModels: { list: async () => [MODEL] },
        space: { hasRoom: async () => true },
        ...{ supply: {}, enhancer: {}, voices: {}, resultProcesses: {}, callbacks: {} },
        wakeProcesses: () => undefined,
        duties: { holds: async () => false },
        cores: 2,
      } as unknown as RegistryServices);
      await live.start();
      this.live = live;
      this.isReady = true;
    } catch {
      // As a process that could not start and is started again.
      this.stopClock();
      if (!this.isStopping) setTimeout(() => void this.start(), RESTART_MILLISECONDS);
    }
  }

  /** The process ends without doing anything more. */
  kill(): void {
    this.isReady = false;
    for (const end of this.ends) end.vanish();
  }

  /** The process is stopped in order. */
  stop(isOver: () => void): void {
    this.isReady = false;
    this.isStopping = true;
    this.servers.network.time.after(this.place, 0, () => {
      const stop = async () => {
        await this.live?.stop();
        await this.logs?.stop();
      };
      stop()
        .catch(() => undefined)
        .finally(isOver);
    });
  }

  /** A client connects. Runs as part of this process. */
  async accept(end: ServerEnd, token: string): Promise<void> {
    const { live } = this;
    const at = Date.now();
    if (!live || this.isStopping) return end.refuse();
    if (live.capacity.connectionRefusal !== undefined) {
      const refusal = await live.refusalOf(token).catch(() => errors.notReady("the database does not answer"));
      if (refusal) return end.refuse();
    }
    end.upgrade();
    this.ends.add(end);
    const connection = this.connectionOf(end);
    try {
      const outcome = await live.byToken(token, at);
      if (this.isStopping) return connection.close({ kind: "restarting" });
      if (outcome.kind !== "session") return connection.close(CLOSINGS[outcome.kind]);
      await this.serve(end, connection, outcome.session);
    } catch {
      const isDown = live.capacity.storageProblem !== undefined;
      connection.close(isDown ? { kind: "restarting", why: "storage" } : { kind: "interrupted" });
    }
  }

  private async serve(end: ServerEnd, connection: Connection, session: Session): Promise<void> {
    await session.attach(connection);
    end.handOver(
      (frame) => {
        const isBinary = typeof frame !== "string";
        for (const command of this.conversation.commandsOf(Buffer.from(frame), isBinary))
          session.receive(connection, command);
      },
      (code) => {
        this.ends.delete(end);
        session.detach(connection, this.conversation.departureOf(code));
      },
    );
  }

  private readonly conversation = gladia.open({
    path: "/v2/live",
    query: new URLSearchParams(),
    headers: {},
    at: 0,
  });

  private connectionOf(end: ServerEnd): Connection {
    const { conversation } = this;
    return {
      number: ++this.connections,
      isReceiving: false,
      close: (closing: Closing) => {
        const { code, reason } = conversation.closeFrame(closing);
        end.close(code, reason);
      },
      pause: () => end.pause(),
      resume: () => end.resume(),
      send: async (emitted) => {
        for (const text of conversation.print(emitted)) end.send(text);
      },
      answer: async (print) => {
        for (const text of print()) end.send(text);
      },
      arrival: () => end.arrival(),
    };
  }
}

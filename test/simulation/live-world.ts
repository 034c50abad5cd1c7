// Runs a schedule against processes with live sessions, and checks what clients were promised: nothing that was acknowledged is lost,
// no session ends twice, and no client receives "complete" before its session is stored whole.
import { LiveConnection } from "../../src/contract/client/live-connection.ts";
import { parseLiveParameters } from "../../src/contract/job-parameters.ts";
import { hashOf } from "../../src/platform/storage/content-hash.ts";
import { hashKey } from "../../src/platform/storage/db/accounts/accounts.ts";
import { randomOf } from "../fixtures/random.ts";
import { lengthOf, type Step } from "./faults.ts";
import { LiveProcess, type Servers } from "./live-process.ts";
import type { Schedule } from "./live-schedule.ts";
import { Machines } from "./machines.ts";
import { MemoryRows, type Row } from "./memory-rows.ts";
import { NatsServers } from "./nats-servers.ts";
import { Network } from "./network.ts";
import { Wire } from "./sockets.ts";
import { Place, VirtualTime } from "./virtual-time.ts";

const ACCOUNT = "00000000-0000-4000-8000-000000000000";
const CHUNK_BYTES = 64;
const HEADER_BYTES = 44;
/** After the last fault, every session ends within this time. */
const SETTLE_MILLISECONDS = 300_000;
/** PARLANCE_LIVE_GRACE_SECONDS of the processes. */
const GRACE_MILLISECONDS = 60_000;
/** A client that processes refuse more often can reach them. */
const MOST_REFUSALS = 5;
const AFTERWARDS_MILLISECONDS = 3_000;
const BALANCER_MILLISECONDS = 500;
const ENDED = new Set<unknown>(["done", "error"]);

interface Client {
  place: Place;
  id: string;
  token: string;
  sent: Buffer;
  acknowledged: number;
  wires: Wire[];
  connection: LiveConnection | undefined;
  /** What the client received as the end of its session. */
  outcome: { problem: string | undefined } | undefined;
  /** When it last received a message, milliseconds. */
  contactAt: number;
  /** Connections since then that processes accepted and closed. */
  refusals: number;
  /** The longest time without a message and with few refusals. */
  awayMilliseconds: number;
}

export class LiveWorld {
  readonly violations: string[] = [];
  private readonly time: VirtualTime;
  private readonly network: Network;
  private readonly servers: Servers;
  private readonly machines: Machines<LiveProcess>;
  private readonly clients: Client[] = [];
  private readonly ends = new Map<unknown, number>();
  private readonly nextEvent = new Map<string, number>();
  private readonly over = new Set<string>();

  constructor(private readonly schedule: Schedule) {
    const random = randomOf(schedule.seed ^ 0x5f3759df);
    this.time = new VirtualTime(random);
    this.network = new Network(this.time, random);
    const rows = new MemoryRows(this.network, (table, before, after) => this.checkChange(table, before, after));
    const nats = new NatsServers(this.network, (subject, { data, headers }) => {
      if (headers.get("Parlance-Kind") === "entries")
        this.checkEntries(subject, JSON.parse(Buffer.from(data).toString()));
    });
    this.servers = { network: this.network, nats, rows, objects: new Map() };
    const make = (machine: string) => new LiveProcess(machine, this.servers);
    this.machines = new Machines(this.network, rows, schedule.processes, make);
  }

  /** @returns what was violated */
  async run(): Promise<string[]> {
    const { time, schedule, clients } = this;
    time.install();
    const onRejection = (error: unknown) => this.violations.push(`a promise was rejected without a handler: ${error}`);
    process.on("unhandledRejection", onRejection);
    try {
      for (let at = 0; at < schedule.clients; at++) this.addClient(at);
      for (const step of schedule.steps) time.at(this.network.servers, step.at, () => this.arm(step));
      const last = Math.max(...schedule.ends, ...schedule.steps.map((step) => step.at + lengthOf(step)));
      const isOver = () => clients.every(({ outcome }) => outcome) || this.violations.length > 0;
      await time.run(last + SETTLE_MILLISECONDS, isOver);
      // Processes that were stopped meanwhile continue.
      const paused = Math.max(...this.machines.all.map(({ place }) => place.pausedUntil));
      if (paused > time.now) await time.run(paused + AFTERWARDS_MILLISECONDS);
      for (const [at, client] of clients.entries()) this.checkClient(at, client);
    } finally {
      time.uninstall();
      process.off("unhandledRejection", onRejection);
    }
    return this.violations;
  }

  get events(): number {
    return this.time.events;
  }

  private addClient(at: number): void {
    const { rows } = this.servers;
    const place = new Place(`client ${at}`);
    const id = `00000000-0000-7000-8000-00000000000${at}`;
    const token = `token-${at}`;
    const params = { ...parseLiveParameters({}), sample_rate: 16_000 };
    const created_at = this.time.serverTime;
    if (at === 0) rows.add("accounts", { id: ACCOUNT, name: "a", created_at });
    rows.add("jobs", {
      ...{ id, account_id: ACCOUNT, kind: "live", status: "queued", model: "m", created_at },
      ...{ request_params: params, post_session_metadata: {}, stage_outputs: {} },
    });
    rows.add("live_sessions", { id, token_hash: hashKey(token) });
    const client: Client = {
      ...{ place, id, token, sent: Buffer.alloc(0), acknowledged: 0, wires: [] },
      ...{ connection: undefined, outcome: undefined, contactAt: 0, refusals: 0, awayMilliseconds: 0 },
    };
    this.clients.push(client);
    this.time.at(place, BALANCER_MILLISECONDS, () => this.begin(client, at));
  }

  /** Runs as part of the client. */
  private begin(client: Client, at: number): void {
    const { ends, chunkMilliseconds } = this.schedule;
    client.connection = new LiveConnection(() => this.connect(client), {
      onState: () => undefined,
      onMessage: (message) => {
        const gap = this.time.now - client.contactAt;
        if (client.refusals <= MOST_REFUSALS) client.awayMilliseconds = Math.max(client.awayMilliseconds, gap);
        client.contactAt = this.time.now;
        client.refusals = 0;
        if (message.type !== "audio_chunk" || !message.acknowledged) return;
        client.acknowledged = Math.max(client.acknowledged, message.data?.byte_range[1] ?? 0);
      },
      onEnded: (problem) => {
        // The service may end a session whose client could not reach it for so long.
        const isAway = client.awayMilliseconds > GRACE_MILLISECONDS && problem?.includes("no client");
        // An ended session is kept for a minute: a client that returns later learns no more than its end.
        const isOver = problem === "session ended" && this.stored(client).audio?.length === client.sent.length;
        client.outcome = { problem: isAway || isOver ? undefined : problem };
        if (isAway) return;
        if (problem === undefined) this.checkComplete(at, client);
      },
    });
    let number = 0;
    const speak = () => {
      if (this.time.now >= (ends[at] ?? 0)) return client.connection?.stop();
      const bytes = Buffer.alloc(CHUNK_BYTES);
      for (let byte = 0; byte < CHUNK_BYTES; byte += 2)
        bytes.writeUInt16LE((number * 32 + byte / 2 + 1) & 0xffff, byte);
      number++;
      client.sent = Buffer.concat([client.sent, bytes]);
      client.connection?.sendAudio(new Uint8Array(bytes));
      setTimeout(speak, chunkMilliseconds[at]);
    };
    speak();
  }

  private connect(client: Client) {
    const chosen = this.machines.any();
    const wire = new Wire(this.network, client.place, chosen.place, (end) => void chosen.accept(end, client.token));
    wire.onRefused = () => client.refusals++;
    client.wires.push(wire);
    return wire.client;
  }

  private arm(step: Step): void {
    if (step.kind !== "cutClient") {
      this.machines.arm(step);
      return;
    }
    const client = this.clients[step.client] as Client;
    this.network.cut(client.place, "clients", step.milliseconds);
    for (const wire of client.wires) wire.cut();
  }

  private violate(text: string): void {
    this.violations.push(`at ${(this.time.now / 1_000).toFixed(3)} s: ${text}`);
  }

  private checkChange(table: string, before: Row | undefined, after: Row | undefined): void {
    if (table !== "jobs" || !after || before?.["status"] === after["status"]) return;
    if (ENDED.has(before?.["status"])) this.violate(`the job changed from ${before?.["status"]} to ${after["status"]}`);
    if (!ENDED.has(after["status"])) return;
    const times = (this.ends.get(after["id"]) ?? 0) + 1;
    this.ends.set(after["id"], times);
    if (times > 1) this.violate(`the job ended ${times} times`);
  }

  /** Entries that were stored in a log. */
  private checkEntries(subject: string, entries: { kind: string; number?: number; event?: { kind: string } }[]): void {
    for (const { kind, number, event } of entries) {
      if (kind !== "message") continue;
      const expected = this.nextEvent.get(subject) ?? 0;
      if (number !== expected) this.violate(`event ${number} (${event?.kind}) was stored as number ${expected}`);
      this.nextEvent.set(subject, expected + 1);
      if (this.over.has(subject)) this.violate(`${event?.kind} was stored after the end of the session`);
      if (event?.kind === "sessionEnded") this.over.add(subject);
    }
  }

  private stored({ id }: Client): { status: unknown; audio: Buffer | undefined; error: unknown } {
    const { rows, objects } = this.servers;
    const job = rows.find("jobs", id);
    const file = rows.find("files", String(job?.["file_id"]));
    const object = objects.get(String(file?.["object_key"]));
    return { status: job?.["status"], error: job?.["error_message"], audio: object?.subarray(HEADER_BYTES) };
  }

  private checkComplete(at: number, client: Client): void {
    const { status, audio } = this.stored(client);
    if (status !== "done") this.violate(`client ${at} received "complete", but its job is ${status}`);
    else if (audio?.length !== client.sent.length)
      this.violate(`client ${at} received "complete", but of ${client.sent.length} bytes ${audio?.length} are stored`);
  }

  private checkClient(at: number, client: Client): void {
    const { status, audio, error } = this.stored(client);
    const name = `client ${at}`;
    if (!client.outcome) {
      this.violate(`${name} received no end; its job is ${status}`);
      return;
    }
    if (client.outcome.problem !== undefined)
      this.violate(`${name}, which had not left, received: ${client.outcome.problem} (job: ${status}, ${error})`);
    if (status !== "done") return;
    const job = this.servers.rows.find("jobs", client.id);
    const result = this.servers.objects.get(String(job?.["result_key"]));
    if (!result || hashOf(result.toString()) !== job?.["result_hash"])
      this.violate(`${name}: the result is missing, or is not the one whose hash the job has`);
    if (!audio?.subarray(0, client.acknowledged).equals(client.sent.subarray(0, client.acknowledged)))
      this.violate(
        `${name}: acknowledged audio is missing or differs (${client.acknowledged} acknowledged, ${audio?.length} stored)`,
      );
  }
}

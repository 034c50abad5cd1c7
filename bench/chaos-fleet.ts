// Starts two processes of each role with PostgreSQL, NATS and an S3 server, and applies faults to them. Each process has its own proxies to
// the three servers.
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MEMBERS, type Role, roleSettings, startFleetServers } from "../test/fixtures/fleet-servers.ts";
import { freePort } from "../test/fixtures/free-port.ts";
import { killTree, signalTree } from "../test/fixtures/processes.ts";
import { pick, type Random } from "../test/fixtures/random.ts";
import { startTcpProxy, type TcpProxy } from "../test/fixtures/tcp-proxy.ts";
import { newDataFolder, type RunningService, ready, startService } from "../test/service.ts";

const SERVERS = ["postgres", "nats", "s3"] as const;
type Server = (typeof SERVERS)[number];

const STALLS = [3, 9, 16, 25, 40];
const CUTS = [1, 4, 11, 20, 35];
const MOST_DOWN_SECONDS = 10;
const GRACE_SECONDS = 600;
const START_TRIES = 30;
const SHOWN_CHARACTERS = 300;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Member {
  name: string;
  role: Role;
  port: number;
  folder: string;
  proxies: Record<Server, TcpProxy>;
  service: RunningService | undefined;
  /** Whether a fault is under way. */
  isTroubled: boolean;
  logs: string[];
}

export class Fleet {
  private readonly members: Member[] = [];
  private readonly remove: (() => unknown)[] = [];
  /** How often each kind of fault happened. */
  readonly faults = new Map<string, number>();
  private readonly running = new Set<Promise<void>>();
  private environment: (member: Member) => Record<string, string> = () => ({});

  private constructor(private readonly log: (text: string) => void) {}

  static async start(log: (text: string) => void): Promise<Fleet> {
    const fleet = new Fleet(log);
    try {
      await fleet.begin();
    } catch (error) {
      await fleet.stop();
      throw error;
    }
    return fleet;
  }

  private async begin(): Promise<void> {
    const { servers, stop } = await startFleetServers();
    this.remove.push(stop);
    const ports = { postgres: servers.postgresPort, nats: servers.natsPort, s3: servers.s3Port };
    this.environment = ({ role, port, proxies }) => ({
      DATABASE_URL: `postgres://parlance@127.0.0.1:${proxies.postgres.port}/postgres`,
      PARLANCE_NATS_URL: `nats://127.0.0.1:${proxies.nats.port}`,
      ...servers.s3,
      PARLANCE_S3_ENDPOINT: `http://127.0.0.1:${proxies.s3.port}`,
      ...roleSettings(role),
      PARLANCE_PORT: String(port),
      PARLANCE_DRAIN_SECONDS: "3",
      PARLANCE_LIVE_GRACE_SECONDS: String(GRACE_SECONDS),
      PARLANCE_LIVE_IDLE_SECONDS: String(GRACE_SECONDS),
      PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "1",
    });
    for (const { name, role } of MEMBERS) {
      const proxies = {} as Record<Server, TcpProxy>;
      for (const server of SERVERS) {
        proxies[server] = await startTcpProxy({ port: ports[server] });
        this.remove.push(() => proxies[server].stop());
      }
      const member = { name, role, port: await freePort(), folder: await newDataFolder(), proxies };
      this.members.push({ ...member, service: undefined, isTroubled: false, logs: [] });
    }
    for (const member of this.members) await this.startMember(member);
    for (const { service } of this.members) await ready(service as RunningService);
  }

  private async startMember(member: Member): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        member.service = await startService({ folder: member.folder, environment: this.environment(member) });
        return;
      } catch (error) {
        // As a supervisor does with a process that could not start.
        member.logs.push(String(error));
        this.log(`${member.name} could not start: ${String(error).slice(0, SHOWN_CHARACTERS)}`);
        if (tries === START_TRIES) throw error;
        await pause(1_000);
      }
    }
  }

  /** Address of a process of a role, preferably of one that runs undisturbed. */
  base(role: Role, random: Random): string {
    const all = this.members.filter((member) => member.role === role);
    const healthy = all.filter(({ service, isTroubled }) => service && !isTroubled);
    return `http://127.0.0.1:${pick(healthy.length > 0 && random() < 0.8 ? healthy : all, random).port}`;
  }

  get troubled(): number {
    return this.members.filter(({ isTroubled }) => isTroubled).length;
  }

  /** Begins a fault of a process that has none. */
  disturb(random: Random): void {
    const member = pick(
      this.members.filter(({ isTroubled, service }) => !isTroubled && service),
      random,
    );
    const kind = pick(["stall", "stall", "kill", "kill", "stop", "cut", "silence", "slow"] as const, random);
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    member.isTroubled = true;
    const done = this.trouble(member, kind, random)
      .catch((error: unknown) => this.log(`${member.name} could not be disturbed: ${error}`))
      .finally(() => {
        member.isTroubled = false;
        this.running.delete(done);
      });
    this.running.add(done);
  }

  private async trouble(member: Member, kind: string, random: Random): Promise<void> {
    const service = member.service as RunningService;
    if (kind === "stall") {
      const seconds = pick(STALLS, random);
      this.log(`${member.name} is stopped for ${seconds} s`);
      signalTree(service.processId, "SIGSTOP");
      await pause(seconds * 1_000);
      signalTree(service.processId, "SIGCONT");
    } else if (kind === "kill" || kind === "stop") {
      const seconds = random() * MOST_DOWN_SECONDS;
      this.log(
        `${member.name} is ${kind === "kill" ? "killed" : "stopped in order"}, starts after ${seconds.toFixed(1)} s`,
      );
      member.service = undefined;
      if (kind === "stop") await service.stop();
      else await killTree(service.processId, () => service.kill());
      member.logs.push(service.log());
      await pause(seconds * 1_000);
      await this.startMember(member);
    } else {
      const [server, seconds] = [pick(SERVERS, random), pick(CUTS, random)];
      const proxy = member.proxies[server];
      this.log(`${member.name} and ${server}: ${kind} for ${seconds} s`);
      if (kind === "cut") proxy.cut();
      else if (kind === "silence") proxy.silence();
      else proxy.delay(random() * 3_000);
      await pause(seconds * 1_000);
      proxy.mend();
    }
  }

  /** Resolves when no fault is under way and all processes answer. */
  async settle(): Promise<void> {
    await Promise.all(this.running);
    for (const { service } of this.members) if (service) await ready(service);
  }

  /** @returns the folder with what the processes logged */
  saveLogs(): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-chaos-"));
    for (const { name, logs, service } of this.members)
      writeFileSync(path.join(folder, `${name}.log`), [...logs, service?.log() ?? ""].join("\n--- started again\n"));
    return folder;
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.running);
    for (const { service, folder } of this.members) {
      if (service) await killTree(service.processId, () => service.kill());
      await rm(folder, { recursive: true, force: true });
    }
    for (const step of this.remove.reverse()) await step();
  }
}

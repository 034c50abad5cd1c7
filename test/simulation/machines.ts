// The processes of a simulation, and the faults that happen to them.
import type { Step } from "./faults.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { Network } from "./network.ts";
import type { Place } from "./virtual-time.ts";

export interface SimulatedProcess {
  readonly place: Place;
  readonly isReady: boolean;
  readonly isStopping: boolean;
  /** The process ends without doing anything more. */
  kill(): void;
  /** The process is stopped in order. */
  stop(isOver: () => void): void;
}

export type ProcessStep = Exclude<Step, { kind: "cutClient" }>;

export class Machines<Process extends SimulatedProcess> {
  private readonly current: Process[];

  constructor(
    private readonly network: Network,
    private readonly rows: MemoryRows,
    count: number,
    private readonly make: (machine: string) => Process,
  ) {
    this.current = Array.from({ length: count }, (_, at) => make(`m${at}`));
  }

  get all(): readonly Process[] {
    return this.current;
  }

  /** One that a load balancer could choose. */
  any(): Process {
    const running = this.current.filter(({ isReady, isStopping }) => isReady && !isStopping);
    const all = running.length > 0 ? running : this.current;
    return all[Math.floor(this.network.random() * all.length)] as Process;
  }

  /** Lets a fault happen when its process has sent so many more requests. */
  arm(step: ProcessStep): void {
    const { place } = this.current[step.process] as Process;
    this.network.afterRequests(place, step.afterRequests, () => this.take(step));
  }

  private take(step: ProcessStep): void {
    const { network, rows } = this;
    const { time } = network;
    const chosen = this.current[step.process] as Process;
    const { place } = chosen;
    if (step.kind === "stall") time.pause(place, step.milliseconds, step.isFrozen);
    if (step.kind === "clockJump") place.wallOffset += step.milliseconds;
    if (step.kind === "slow") network.slow(place, step.server, step.milliseconds);
    if (step.kind === "cut") {
      network.cut(place, step.server, step.milliseconds);
      if (step.server === "database") rows.abandon(place);
    }
    if ((step.kind !== "kill" && step.kind !== "restart") || chosen.isStopping || place.isDead) return;
    const end = () => {
      if (place.isDead) return;
      place.isDead = true;
      chosen.kill();
      rows.abandon(place);
      time.after(network.servers, step.downMilliseconds, () => {
        this.current[step.process] = this.make(place.name);
      });
    };
    if (step.kind === "kill") end();
    else chosen.stop(end);
  }
}

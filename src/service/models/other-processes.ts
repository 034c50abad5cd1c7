// What the other processes on the same database report: how fast they work, and which models they have. A process that answers requests uses
// it for the progress of jobs, and to judge which models a request can use, because it may run no recognition itself.
import type { ReportedModel } from "../../platform/storage/db/machine-tables.ts";
import type { RecognizerCapabilities } from "../../speech/recognition/recognizer.ts";
import { describedModel, type InstalledModel, isNamed, type ServedModel } from "./store.ts";

export type ServingRole = "worker" | "live";

export interface OtherProcess {
  /** Name of its data folder. */
  machine: string;
  roles: readonly string[];
  /** Undefined before its first job, and for the previous version, which reports none. */
  audioSecondsPerSecond?: number | undefined;
  /** Ids of those that recognise speech. */
  models: readonly string[];
  /** Undefined for the previous version. */
  installed?: readonly ReportedModel[] | undefined;
}

export interface StoppedProcess extends OtherProcess {
  /** Since it stopped. */
  ageSeconds: number;
}

/** A process that stopped may start again with its models. A restart takes less time than this. */
export const RETURN_SECONDS = 600;

/** The models of this process in its report. Models of the program are left out. */
export const reportedModels = (installed: readonly InstalledModel[]): ReportedModel[] =>
  installed.map(describedModel).flatMap(({ manifest, bytes = 0, ...model }) => {
    return manifest ? [{ ...model, source: manifest.source, bytes }] : [];
  });

const asServed = ({ capabilities, source, bytes, ...model }: ReportedModel): ServedModel => ({
  ...model,
  capabilities: capabilities as RecognizerCapabilities,
  manifest: { source },
  bytes,
});

export class OtherProcesses {
  private running: readonly OtherProcess[] = [];
  /** Processes that no longer report, with the time of the last report that was read. */
  private readonly gone = new Map<string, { at: number; process: OtherProcess }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Replaces the earlier reports.
   * @param reports  of the other processes that run
   * @param stopped  others, which may have stopped before this process started
   */
  take(reports: readonly OtherProcess[], stopped: readonly StoppedProcess[] = []): void {
    const at = this.now();
    for (const process of this.running) this.gone.set(process.machine, { at, process });
    for (const { ageSeconds, ...process } of stopped)
      if (!this.gone.has(process.machine)) this.gone.set(process.machine, { at: at - ageSeconds * 1000, process });
    for (const { machine } of reports) this.gone.delete(machine);
    for (const [machine, { at: seen }] of this.gone) if (seen < at - RETURN_SECONDS * 1000) this.gone.delete(machine);
    this.running = reports;
  }

  /** The sum over the workers that have measured their speed. */
  get audioSecondsPerSecond(): number {
    return this.of("worker").reduce((sum, { audioSecondsPerSecond = 0 }) => sum + audioSecondsPerSecond, 0);
  }

  isRunning(role: ServingRole): boolean {
    return this.of(role).length > 0;
  }

  hasModel(role: ServingRole, id: string): boolean {
    return this.of(role).some((one) => hasModel(one, id));
  }

  /** Whether a process has the model, or had it when it stopped a short time ago. */
  mayHaveModel(role: ServingRole, id: string): boolean {
    const isReturning = () =>
      [...this.gone.values()].some(({ process }) => process.roles.includes(role) && hasModel(process, id));
    return this.hasModel(role, id) || isReturning();
  }

  /** Models besides those of the program. @param describe  a model of a process whose version reports ids alone */
  models(role: ServingRole, describe: (id: string) => ServedModel | undefined): ServedModel[] {
    return this.of(role).flatMap(({ models, installed }) =>
      installed ? installed.map(asServed) : models.map(describe).filter((model) => model !== undefined),
    );
  }

  private of(role: ServingRole): readonly OtherProcess[] {
    return this.running.filter(({ roles }) => roles.includes(role));
  }
}

const hasModel = ({ models, installed = [] }: OtherProcess, id: string) =>
  models.includes(id) || installed.some((model) => isNamed(asServed(model), id));

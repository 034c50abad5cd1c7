// Whether a new session has a place: in this process, if it runs live sessions, or in another one that reports its load.
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { type FinishedTask, secondsOf } from "../../inference/finished-task.ts";
import { LEAST_SESSIONS, LiveLoad, type LoadReport } from "../admission/live-load.ts";
import type { ChannelServices } from "../channel/channel-contract.ts";
import type { LiveNode } from "../log/log-contract.ts";
import type { RegistryServices } from "./registry-services.ts";

/** Above this delay of finals, no more sessions are accepted, whatever their measured cost. */
const MOST_FINAL_DELAY_SECONDS = 1;
/** Speech probability from which a window counts as speech. */
const SPEECH_PROBABILITY = 0.5;

/** Of a session that was created. */
type AdmissibleSession = Pick<JobRow, "id" | "account_id">;

export class LiveCapacity {
  /** Interval at which the cost of live audio is measured. */
  static readonly tickMilliseconds = 1_000;
  /** Whether this process runs live sessions. */
  isHere = false;
  private readonly load: LiveLoad;
  private usedSeconds = 0;
  /** Sessions that are about to be opened. */
  private readonly connecting = new Set<string>();

  /**
   * @param running  ids of the sessions in this process that have not ended, and of those that are being opened
   * @param now      milliseconds of a clock that never goes back
   */
  constructor(
    private readonly services: Pick<RegistryServices, "cores" | "logs" | "models" | "recognition" | "settings">,
    private readonly running: () => readonly string[],
    now: () => number = () => performance.now(),
  ) {
    const machine = { cores: services.cores, recognizers: services.settings.workers };
    this.load = new LiveLoad(machine, running, now);
  }

  /** Why this process can store no sessions at present. */
  get storageProblem(): string | undefined {
    return this.services.logs.problem;
  }

  /** Why no further session can be opened in this process; undefined if one can. */
  get connectionRefusal(): ParlanceError | undefined {
    return this.refusalFor(1);
  }

  /** @param account  for whose session other accounts may lose places that they have not used */
  private refusalFor(channels: number, account?: string): ParlanceError | undefined {
    const { logs, recognition, settings } = this.services;
    const { maximumLiveSessions } = settings;
    const { load } = this;
    if (logs.problem !== undefined) return errors.notReady(logs.problem);
    // Clients that connect at the same time are counted before their sessions are open.
    const counted = new Set([...this.running(), ...this.connecting]).size;
    if (maximumLiveSessions > 0 && counted >= maximumLiveSessions) return errors.tooManySessions(maximumLiveSessions);
    const isLate = load.sessions >= LEAST_SESSIONS && recognition.finalDelay > MOST_FINAL_DELAY_SECONDS;
    if (isLate) return errors.overloaded(load.sessions);
    const hasRoom = load.hasRoom(channels) || (account !== undefined && load.makeRoom(account, channels));
    return hasRoom ? undefined : errors.overloaded(load.report.sessions);
  }

  /** Sessions and audio that this process can serve, and audio that it receives; in a process without sessions, what the others report. */
  get report(): LoadReport {
    const { logs, settings } = this.services;
    if (!this.isHere) {
      const sessions = logs.others().reduce((sum, node) => sum + (node?.capacity ?? 0), 0);
      return { sessions, audioCapacity: 0, audio: 0 };
    }
    const { maximumLiveSessions } = settings;
    const { report } = this.load;
    const most = maximumLiveSessions === 0 ? Number.POSITIVE_INFINITY : maximumLiveSessions;
    return { ...report, sessions: Math.min(most, report.sessions) };
  }

  /** Sessions, and how many can be served, of this process and of those that report to it. */
  get everywhere(): Pick<LiveNode, "sessions" | "capacity"> {
    const own = this.isHere ? { sessions: this.running().length, capacity: this.report.sessions } : undefined;
    const all = [own, ...this.services.logs.others()].filter((node) => node !== undefined);
    return {
      sessions: all.reduce((sum, node) => sum + node.sessions, 0),
      capacity: all.reduce((sum, node) => sum + node.capacity, 0),
    };
  }

  /** What this process reports to the others. */
  async reportNode(): Promise<LiveNode> {
    const { models } = this.services;
    return {
      sessions: this.running().length,
      capacity: this.report.sessions,
      isAccepting: this.connectionRefusal === undefined,
      models: (await models.list()).map(({ id }) => id),
    };
  }

  /** Whether another process has this model for speech. */
  isElsewhere(model: string): boolean {
    return this.services.logs.others().some((node) => node?.models.includes(model) === true);
  }

  /**
   * Keeps a place for a new session, so that clients which begin at the same time are counted at once. Nothing is kept if another process
   * has to run it.
   * @throws service.not_ready, limit.live_sessions, service.overloaded, models.missing
   */
  reserve(id: string, account: string, model: string, channels: number): void {
    const { logs } = this.services;
    const refusal = this.refusalFor(channels, account);
    // Without NATS, reports of other processes do not arrive either.
    if (logs.problem !== undefined) throw errors.notReady(logs.problem);
    if (this.isHere && !refusal) {
      this.load.reserve(id, channels, account);
      return;
    }
    const others = logs.others();
    if (this.isHere && refusal && others.length === 0) throw refusal;
    // Without reports, the process that the client connects to decides.
    if (!logs.isShared) return;
    if (others.length === 0) throw errors.notReady("no process for live sessions runs, or none can store them");
    const having = others.filter((node) => !node || node.models.includes(model));
    if (having.length === 0) throw errors.modelMissing(model, "No machine with the role live has it. Add it there");
    if (!having.some((node) => node?.isAccepting !== false))
      throw errors.overloaded(having.reduce((sum, node) => sum + (node?.sessions ?? 0), 0));
  }

  /** Why the client of a new session cannot connect to this process; undefined if it can. */
  refusalOf({ id, account_id: account }: AdmissibleSession, channels: number): ParlanceError | undefined {
    const hasPlace = this.load.hasPlace(id);
    const refusal = this.refusalFor(channels, hasPlace ? undefined : account);
    return hasPlace && refusal?.code === "service.overloaded" ? undefined : refusal;
  }

  /**
   * Why a session may not be recognised by another model from now on; undefined if it may, which reserves what the model costs more.
   * @param former  the model that it replaces
   */
  refusalOfModel(id: string, channels: number, model: string, former: string): string | undefined {
    if (this.load.useModel(id, channels, model, former)) return undefined;
    return `the model ${model}, which this language needs, takes more processor time than the machine has left beside ${this.load.sessions} live sessions. Try again later`;
  }

  /** Keeps a place for a session whose client connects, until `release`. @returns false if there is none */
  admit(session: AdmissibleSession, channels: number): boolean {
    const { id } = session;
    if (this.running().includes(id)) return true;
    if (this.refusalOf(session, channels)) return false;
    this.connecting.add(id);
    this.load.reserve(id, channels);
    return true;
  }

  /** Gives the place of a session back that does not run. */
  release(id: string): void {
    this.connecting.delete(id);
    this.load.release(id);
  }

  /** A task of a recogniser has ended. */
  add({ kind, model, priority, processorSeconds, audioSeconds }: FinishedTask): void {
    const { costs } = this.load;
    if (kind === "recognize" && priority === "live")
      costs.add({ kind: "final", processorSeconds, audioSeconds, ...(model === undefined ? {} : { model }) });
    // Diarization, and judgements of turns. Partials take what is left, and recordings wait.
    else if (priority === "speakers" || kind === "judge-turn")
      costs.add({ kind: "other", processorSeconds, audioSeconds });
  }

  /** A task of the voice activity detector of live sessions has ended. */
  addDetection({ processorSeconds, audioSeconds }: FinishedTask): void {
    this.load.costs.add({ kind: "detection", processorSeconds, audioSeconds });
  }

  /** Called once in each interval. */
  tick(): void {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1e6;
    this.load.tick(used - this.usedSeconds);
    this.usedSeconds = used;
  }

  /** Voice activity detection for one session, whose audio and speech are counted. */
  metered(id: string, channels: number, detection: ChannelServices["detection"]): ChannelServices["detection"] {
    return {
      voiceActivity: async (audio, state, options) => {
        const answer = await detection.voiceActivity(audio, state, options);
        const speech = answer.probabilities.filter((one) => one >= SPEECH_PROBABILITY).length * WINDOW_SECONDS;
        this.load.add(id, channels, secondsOf(audio), speech);
        return answer;
      },
    };
  }
}

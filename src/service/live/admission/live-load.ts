// The load of this process by live sessions, and how many more sessions it can serve with finals in time. The load of a session is its measured
// speech and a reserve: speech may begin in a silent session at any moment, and a session that was just admitted causes no load yet.
import { type Cost, LiveCosts } from "./live-costs.ts";

/** This many sessions are always accepted, whatever they cost. */
export const LEAST_SESSIONS = 4;
/** A created session reserves capacity for this long, until its client connects. */
const PLACE_MILLISECONDS = 5_000;
/** After this long, the mean cost of finals includes a session's other model. */
const MODEL_CHANGE_MILLISECONDS = 120_000;
/** In its first seconds, a session counts as continuous speech. */
const UNKNOWN_MILLISECONDS = 10_000;
/** Time over which the speech of a session is averaged. */
const AVERAGE_MILLISECONDS = 15_000;
/** Speech that is reserved for a session that is silent, seconds in a second. */
const LEAST_SPEECH = 0.5;
/** The same for a session that receives no audio: its client has left, or its microphone is muted. */
const LEAST_SPEECH_WITHOUT_AUDIO = 0.1;
/** Below this share of real time, a session counts as without audio. */
const LEAST_AUDIO = 0.1;
/**
 * Share of each resource that finals and what they need may take. The rest is for partials, for other programs, and for
 * fluctuations: in a queue, the delay grows without limit as its use approaches all of the time.
 */
const MOST_USE = 0.75;

export interface Machine {
  /** May be a fraction. */
  cores: number;
  /** Recogniser processes, each of one thread. */
  recognizers: number;
}

/** What one session has sent, as rates that fade. */
interface Activity {
  since: number;
  at: number;
  channels: number;
  /** Seconds in a second. */
  audio: number;
  speech: number;
}

/** Capacity that is kept for a session whose client has not connected. */
interface Place {
  /** Milliseconds. */
  until: number;
  /** Undefined once the client connects: from then on, no other account can take the place. */
  account: string | undefined;
}

export interface LoadReport {
  /** Sessions that can be served at once: those that run, and as many more as there is capacity for. */
  sessions: number;
  /** Seconds of audio, mostly speech, that can be served in a second. */
  audioCapacity: number;
  /** Seconds of audio that arrive in a second. */
  audio: number;
}

const totalOf = ({ recognizers, detection, service }: Cost) => recognizers + detection + service;

export class LiveLoad {
  readonly costs = new LiveCosts();
  private readonly activities = new Map<string, Activity>();
  /** Of sessions that do not run yet, oldest first. */
  private readonly places = new Map<string, Place>();
  /** Of sessions that have no audio yet. */
  private readonly channels = new Map<string, number>();
  /** Additional cost of sessions that changed their model, recogniser seconds in a second. */
  private readonly changes = new Map<string, { until: number; recognizers: number }>();
  private audioSinceTick = 0;

  /**
   * @param running  ids of the sessions of this process
   * @param now      milliseconds of a clock that never goes back
   */
  constructor(
    private readonly machine: Machine,
    private readonly running: () => readonly string[],
    private readonly now: () => number,
  ) {}

  /**
   * Keeps a place for a session; again for the same one prolongs it.
   * @param account  of a session that was created; undefined while its client connects
   */
  reserve(id: string, channels = 1, account?: string): void {
    this.places.set(id, { until: this.now() + PLACE_MILLISECONDS, account });
    this.channels.set(id, channels);
  }

  /** Gives the place of a session back that does not run. */
  release(id: string): void {
    this.places.delete(id);
  }

  /** Whether a place is kept for this session, or it runs. */
  hasPlace(id: string): boolean {
    return this.counted().includes(id);
  }

  /** Sessions that run, and those that have a place. */
  get sessions(): number {
    return this.counted().length;
  }

  /** A session received audio. @param speechSeconds  in which voice activity was detected */
  add(id: string, channels: number, audioSeconds: number, speechSeconds: number): void {
    const now = this.now();
    const known = this.activities.get(id) ?? { since: now, at: now, channels, audio: 0, speech: 0 };
    const kept = Math.exp(-(now - known.at) / AVERAGE_MILLISECONDS);
    const audio = known.audio * kept + audioSeconds / (AVERAGE_MILLISECONDS / 1000);
    const speech = known.speech * kept + speechSeconds / (AVERAGE_MILLISECONDS / 1000);
    this.activities.set(id, { since: known.since, at: now, channels, audio, speech });
    this.audioSinceTick += audioSeconds;
    this.costs.addAudio(audioSeconds, speechSeconds);
  }

  /** @param processorSeconds  of this process since the last call */
  tick(processorSeconds: number): void {
    const counted = new Set(this.counted());
    for (const known of [this.activities, this.channels])
      for (const id of known.keys()) if (!counted.has(id)) known.delete(id);
    const now = this.now();
    for (const [id, { until }] of this.changes) if (until <= now || !counted.has(id)) this.changes.delete(id);
    for (const id of counted) {
      if (!this.activities.has(id))
        this.activities.set(id, { since: now, at: now, channels: this.channels.get(id) ?? 1, audio: 0, speech: 0 });
    }
    // With less audio, most of the time is for other work.
    if (this.audioSinceTick >= 1) this.costs.addService(processorSeconds, this.audioSinceTick);
    this.audioSinceTick = 0;
  }

  /** Whether a further session can be served with finals in time. @param channels  of its audio */
  hasRoom(channels = 1): boolean {
    return this.sessions < LEAST_SESSIONS || this.fit(this.costs.of(channels, channels), this.used) >= 1;
  }

  /**
   * A running session is to be recognised by another model.
   * @returns whether finals stay in time; then what the model costs more is reserved
   */
  useModel(id: string, channels: number, model: string, former: string): boolean {
    this.changes.delete(id);
    const recognizers = this.costs.differenceOf(model, former) * channels;
    if (recognizers === 0) return true;
    if (this.sessions > LEAST_SESSIONS && this.fit({ recognizers, detection: 0, service: 0 }, this.used) < 1)
      return false;
    this.changes.set(id, { until: this.now() + MODEL_CHANGE_MILLISECONDS, recognizers });
    return true;
  }

  /**
   * Makes room for a session of this account, if necessary by places of accounts that keep more of them: an account that creates
   * sessions and opens none must not keep others out. The account with most places loses its newest one first.
   * @returns false if that is not enough; all places are as before then
   */
  makeRoom(account: string, channels = 1): boolean {
    const taken: [string, Place][] = [];
    while (!this.hasRoom(channels)) {
      const kept = this.placesByAccount();
      const least = (kept.get(account)?.length ?? 0) + 1;
      const largest = [...kept.values()].reduce<string[]>((most, one) => (one.length > most.length ? one : most), []);
      const newest = largest.at(-1);
      const place = newest === undefined ? undefined : this.places.get(newest);
      if (newest === undefined || !place || largest.length <= least) {
        for (const [id, former] of taken.reverse()) this.places.set(id, former);
        return false;
      }
      taken.push([newest, place]);
      this.places.delete(newest);
    }
    return true;
  }

  get report(): LoadReport {
    const { sessions } = this;
    const cost = this.costs.of(1, 1);
    const further = Math.max(0, Math.floor(this.fit(cost, this.used)));
    return {
      sessions: Math.max(LEAST_SESSIONS, sessions + further),
      audioCapacity: this.fit(cost, { recognizers: 0, detection: 0, service: 0 }),
      audio: this.counted().reduce((sum, id) => sum + this.ratesOf(id).audio, 0),
    };
  }

  private get used(): Cost {
    const used = { recognizers: 0, detection: 0, service: 0 };
    for (const id of this.counted()) {
      const cost = this.costOf(id);
      used.recognizers += cost.recognizers;
      used.detection += cost.detection;
      used.service += cost.service;
    }
    const now = this.now();
    for (const { until, recognizers } of this.changes.values()) if (until > now) used.recognizers += recognizers;
    return used;
  }

  /** How many of such a cost fit beside what is used, a fraction: the scarcest resource decides. */
  private fit(cost: Cost, used: Cost): number {
    const { cores, recognizers } = this.machine;
    const left = (limit: number, of: (cost: Cost) => number) => (limit * MOST_USE - of(used)) / of(cost);
    return Math.min(
      left(cores, totalOf),
      left(recognizers, (one) => one.recognizers),
      // Each of the two is one thread.
      left(1, (one) => one.detection),
      left(1, (one) => one.service),
    );
  }

  private costOf(id: string): Cost {
    const known = this.activities.get(id);
    if (!known) {
      const channels = this.channels.get(id) ?? 1;
      return this.costs.of(channels, channels);
    }
    const { channels } = known;
    const isUnknown = this.now() - known.since < UNKNOWN_MILLISECONDS;
    const { audio, speech } = this.ratesOf(id);
    if (!isUnknown && audio < LEAST_AUDIO) return this.costs.of(LEAST_AUDIO, LEAST_SPEECH_WITHOUT_AUDIO);
    // Audio that is sent faster than in real time is not urgent.
    const counted = Math.min(channels, Math.max(isUnknown ? channels : LEAST_SPEECH, speech));
    return this.costs.of(channels, counted);
  }

  private ratesOf(id: string): { audio: number; speech: number } {
    const known = this.activities.get(id);
    if (!known) return { audio: 0, speech: 0 };
    const now = this.now();
    const kept = Math.exp(-(now - known.at) / AVERAGE_MILLISECONDS);
    // The average of a session that is younger than the time of the average is over its own time.
    const age = Math.max(1_000, now - known.since);
    const factor = kept / (1 - Math.exp(-age / AVERAGE_MILLISECONDS));
    return { audio: known.audio * factor, speech: known.speech * factor };
  }

  /** Ids of created sessions whose clients have not begun to connect, oldest first. */
  private placesByAccount(): Map<string, string[]> {
    const kept = new Map<string, string[]>();
    for (const [id, { account }] of this.places)
      if (account !== undefined) kept.set(account, [...(kept.get(account) ?? []), id]);
    return kept;
  }

  private counted(): string[] {
    const now = this.now();
    const running = new Set(this.running());
    for (const [id, { until }] of this.places) if (running.has(id) || until <= now) this.places.delete(id);
    return [...running, ...this.places.keys()];
  }
}

// Detects speech whose sampling rate is not the declared one, in two steps. A cheap estimate of the speed of the speech raises the suspicion.
// Voice activity detection at the likely rate confirms it, if it finds much more speech than at the declared rate. Both are required, because
// rare voices, noise and music cause false results in one of them.
import { powerOf } from "./power.ts";
import { resampled } from "./resample.ts";
import { SAMPLE_RATE } from "./sample-rate.ts";
import { joinedSamples } from "./samples.ts";
import { SPEED_WINDOWS, SpeechSpeed } from "./speech-speed.ts";
import type { StreamFormat } from "./stream-format.ts";
import { WINDOW_SAMPLES } from "./voice-activity/detector-windows.ts";

/** Stretches of sound in a stream that are checked: a call may begin with music. */
const MOST_STRETCHES = 6;
/** Longest stretch: sparse sound is left out. */
const MOST_WINDOWS = 256;
/** Windows before the first one with sound, for its pitch. */
const LEAD_WINDOWS = 4;
/** 30 s. Samples that wait for a check to end; with more, no more are accepted. */
const MOST_WAITING_SAMPLES = 30 * SAMPLE_RATE;
/** Levels of windows with sound: mean square, and in relation to the loudest of the stretch. */
const LEAST_POWER = 1e-6;
const LEAST_SHARE = 1e-3;

/** Suspicion, octaves. */
const SUSPICIOUS_OCTAVES = 0.5;
/** Speeds that are compared: their rates are confused. Others are too close to slow or fast speakers. */
const SLOW_SPEEDS = [1 / 3, 1 / 2];
const FAST_SPEEDS = [2, 3];
/** Share of windows with a voice at the likely rate, and how much larger it is than at the declared rate. */
const VOICE_PROBABILITY = 0.5;
const LEAST_VOICE = 0.5;
const MORE_VOICE = 0.4;
/** Some music resembles a voice when it is played faster, but hardly any of its windows reach this probability. Share of windows that must. */
const SURE_PROBABILITY = 0.9;
const LEAST_SURE_VOICE = 0.1;
/** Of two speeds with a voice, the estimate decides: an octave counts as much as this share of windows. */
const SHARE_OF_AN_OCTAVE = 0.15;

/** @returns a probability of speech for each window of 512 samples, without memory of earlier calls */
export type FindVoice = (samples: Float32Array) => Promise<Float32Array>;

export class RateCheck {
  /** Samples that are not checked yet. */
  private waiting: Float32Array[] = [];
  private waitingSamples = 0;
  private windows: Float32Array[] = [];
  private speed = new SpeechSpeed();
  private loudest = 0;
  private stretches = 0;
  private checking: Promise<void> | undefined;
  private found: number | undefined;

  constructor(private readonly findVoice: FindVoice) {}

  /** Speed at which the audio is played in relation to its own, one of 1/3, 1/2, 2 and 3; undefined while it may be right. */
  get playedSpeed(): number | undefined {
    return this.found;
  }

  /** Whether further audio changes nothing. */
  get isDone(): boolean {
    return this.stretches >= MOST_STRETCHES || this.found !== undefined;
  }

  /** Resolves when the audio so far is checked. */
  async settled(): Promise<void> {
    while (this.checking) await this.checking;
  }

  /**
   * Takes about 0.05 ms a window until the check has ended, then nothing.
   * @param samples  the next ones, 16 kHz in the declared format
   * @returns a promise if samples wait for a check: it resolves when more may be added
   */
  push(samples: Float32Array): Promise<void> | undefined {
    if (this.isDone || samples.length === 0) return undefined;
    this.waiting.push(samples);
    this.waitingSamples += samples.length;
    if (!this.checking) this.process();
    return this.waitingSamples > MOST_WAITING_SAMPLES ? this.settled() : undefined;
  }

  /** Adds the waiting windows until a check begins. The rest waits for its end, so that its duration does not change the result. */
  private process(): void {
    const input = joinedSamples(this.waiting);
    let at = 0;
    for (; at + WINDOW_SAMPLES <= input.length && !this.checking && !this.isDone; at += WINDOW_SAMPLES) {
      this.add(input.subarray(at, at + WINDOW_SAMPLES));
    }
    const rest = this.isDone ? new Float32Array(0) : input.slice(at);
    this.waiting = [rest];
    this.waitingSamples = rest.length;
  }

  private add(window: Float32Array): void {
    const { speed, windows } = this;
    windows.push(window);
    const power = powerOf(window);
    if (power > LEAST_POWER && power > LEAST_SHARE * this.loudest) {
      this.loudest = Math.max(this.loudest, power);
      speed.push(windows.length, joinedSamples(windows.slice(-LEAD_WINDOWS - 1)));
    } else if (speed.count === 0 && windows.length > LEAD_WINDOWS) windows.shift();
    if (speed.count >= SPEED_WINDOWS) this.check();
    else if (windows.length >= MOST_WINDOWS) this.restart();
  }

  private restart(): void {
    this.windows = [];
    this.speed = new SpeechSpeed();
    this.loudest = 0;
  }

  private check(): void {
    this.stretches++;
    const { octaves } = this.speed;
    const stretch = joinedSamples(this.windows);
    this.restart();
    if (!(Math.abs(octaves) > SUSPICIOUS_OCTAVES)) return;
    this.checking = this.confirm(stretch, octaves)
      // Without voice activity there is no warning; the stream itself reports the failure.
      .catch(() => undefined)
      .finally(() => {
        this.checking = undefined;
        this.process();
      });
  }

  private async confirm(stretch: Float32Array, octaves: number): Promise<void> {
    const least = Math.max(LEAST_VOICE, (await this.voiceOf(stretch)).share + MORE_VOICE);
    const candidates: { speed: number; share: number; sure: number; fit: number }[] = [];
    for (const speed of octaves < 0 ? SLOW_SPEEDS : FAST_SPEEDS) {
      const { share, sure } = await this.voiceOf(atSpeed(stretch, 1 / speed));
      const fit = share - SHARE_OF_AN_OCTAVE * Math.abs(Math.log2(speed) - octaves);
      candidates.push({ speed, share, sure, fit });
    }
    const likely = candidates.filter(({ sure }) => sure >= LEAST_SURE_VOICE);
    if (!likely.some(({ share }) => share > least)) return;
    this.found = likely.reduce((best, one) => (one.fit > best.fit ? one : best)).speed;
  }

  /** @returns shares of windows with a voice, and with a certain one */
  private async voiceOf(samples: Float32Array): Promise<{ share: number; sure: number }> {
    const probabilities = await this.findVoice(samples);
    const above = (least: number) => probabilities.filter((one) => one > least).length / probabilities.length;
    return { share: above(VOICE_PROBABILITY), sure: above(SURE_PROBABILITY) };
  }
}

/** The same sound, played that much faster. */
function atSpeed(samples: Float32Array, speed: number): Float32Array {
  const [from, to] = [Math.max(1, speed), Math.max(1, 1 / speed)];
  return resampled(samples, Math.round(SAMPLE_RATE * from), Math.round(SAMPLE_RATE * to));
}

/** Rates that clients use, Hz. */
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
/** Rates this close to the estimate, as a share, are named. */
const CLOSE = 0.13;

/** A wrong number of channels sounds the same. */
function otherCause(playedSpeed: number, channels: number): string {
  if (playedSpeed < 1 && channels === 1) return ", or it has two channels";
  return playedSpeed > 1 && channels === 2 ? ", or it has one channel" : "";
}

const listed = (rates: readonly number[]) =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(rates.map(String));

/** @param playedSpeed  of RateCheck @param channels  of the recording */
export function recordedRateWarning(playedSpeed: number, channels: number): string {
  const isSlow = playedSpeed < 1;
  return (
    `The speech of the recording is much too ${isSlow ? "slow and low" : "fast and high"}, so its words are probably wrong: ` +
    `the sampling rate of the audio is probably two or three times as ${isSlow ? "high" : "low"} as the request or the file ` +
    `states${otherCause(playedSpeed, channels)}`
  );
}

/** @param playedSpeed  of RateCheck @param declared  format in which the samples are read */
export function rateWarning(playedSpeed: number, { sampleRate, channels }: StreamFormat): string {
  // The check confuses the two speeds of a direction, so that the rates of both are named.
  const likely = (playedSpeed < 1 ? SLOW_SPEEDS : FAST_SPEEDS).map((speed) => sampleRate / speed);
  const close = RATES.filter((rate) => likely.some((one) => Math.abs(rate / one - 1) < CLOSE));
  const named = close.length > 0 ? listed(close) : String(Math.round(sampleRate / playedSpeed));
  return (
    `the audio probably has another sampling rate than the session: it is read as ${sampleRate} Hz, and its speech is ` +
    `much too ${playedSpeed < 1 ? "slow and low" : "fast and high"}; it may have ${named} Hz` +
    `${otherCause(playedSpeed, channels)}. Open the session with the sample_rate and channels of the audio`
  );
}

// Validates the channel comparison in a decoder process's answer.
import type { LevelSummary } from "../channels/channel-level.ts";
import { type PairReport, STRETCH_WINDOWS, type Stretch } from "../channels/pair-report.ts";
import type { ChannelRole } from "../channels/roles.ts";
import { WINDOW_SECONDS } from "../channels/windows.ts";
import { isCount, isNumber, refuse } from "./answer-checks.ts";
import type { DecodeAnswer } from "./message.ts";

const ROLES: readonly unknown[] = ["centre", "bass", "other"] satisfies ChannelRole[];
const STRETCH_SECONDS = STRETCH_WINDOWS * WINDOW_SECONDS;
/** One digit per window of a section. */
const SUSPICIONS = new RegExp(`^[012]{${STRETCH_WINDOWS}}$`);
/** The range of 16 bits is 96 dB. */
const MOST_DECIBELS = 200;
const MOST_GAIN = 1e5;

/** The comparison of the channels. @throws process.failed */
export function comparedChannels(answer: DecodeAnswer, channels: number, durationSeconds: number) {
  const { roles, levels, pairs } = answer;
  if (!Array.isArray(roles) || roles.length !== channels || !roles.every((role) => ROLES.includes(role)))
    return refuse("impossible roles of channels");
  if (!Array.isArray(levels) || levels.length !== channels) return refuse("impossible levels");
  if (!Array.isArray(pairs) || pairs.length !== (channels * (channels - 1)) / 2) return refuse("impossible pairs");
  const most = Math.ceil(durationSeconds / STRETCH_SECONDS) + 1;
  return {
    roles: [...roles],
    levels: levels.map((level: Partial<LevelSummary> | null) => {
      const { speechDecibels, rangeDecibels } = level ?? {};
      if (!isNumber(speechDecibels, MOST_DECIBELS) || !isNumber(rangeDecibels, MOST_DECIBELS))
        return refuse("an impossible level");
      return { speechDecibels, rangeDecibels };
    }),
    pairs: pairs.map((pair) => pairAnswer(pair, channels, most)),
  };
}

function pairAnswer(pair: Partial<PairReport> | null, channels: number, mostStretches: number): PairReport {
  const { channels: both, commonWindows, stretches } = pair ?? {};
  const [left, right] = Array.isArray(both) ? both : [];
  if (!isCount(right, channels - 1) || !isCount(left, right - 1, 0)) return refuse("an impossible pair of channels");
  if (!isCount(commonWindows, Number.MAX_SAFE_INTEGER, 0)) return refuse("an impossible number of windows");
  if (!Array.isArray(stretches) || stretches.length > mostStretches) return refuse("impossible stretches");
  let last = -1;
  const checked = stretches.map((stretch: Partial<Stretch> | null) => {
    const { number, relation, suspicions } = stretch ?? {};
    const { gain, forwardGain, backwardGain, delaySeconds } = relation ?? {};
    if (!isCount(number, mostStretches, last + 1) || !isNumber(delaySeconds, 1)) return refuse("an impossible stretch");
    if (!isNumber(gain, MOST_GAIN) || !isNumber(forwardGain, MOST_GAIN) || !isNumber(backwardGain, MOST_GAIN))
      return refuse("an impossible gain");
    if (typeof suspicions !== "string" || !SUSPICIONS.test(suspicions)) return refuse("impossible suspicions");
    last = number;
    return { number, relation: { gain, forwardGain, backwardGain, delaySeconds }, suspicions };
  });
  return { channels: [left, right], commonWindows, stretches: checked };
}

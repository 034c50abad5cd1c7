// Speaker turns of a corrected transcript. Every moment of a recognised turn follows the nearest words of the same
// recognised speaker, so that turns between and beside words change with them.

import { lowestPlace } from "../../contract/lowest-place.ts";
import type { SpeakerTurn } from "../../contract/transcript/transcript.ts";
import type { SpeakerRun } from "./spoken-parts.ts";
import type { SpokenUtterance } from "./spoken-utterance.ts";

/** From `start` on, until the next one, turns belong to `speaker`. */
interface Owner {
  start: number;
  speaker: number | undefined;
}

const keyOf = (channel: number, speaker: number | undefined) => `${channel} ${speaker ?? ""}`;

/** @param runs  of one recognised speaker @returns owners in order; the first one starts at the beginning */
function ownersOf(runs: readonly SpeakerRun[]): Owner[] {
  const owners: Owner[] = [];
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { speaker, start, end } of runs.toSorted((left, right) => left.start - right.start)) {
    if (owners.at(-1)?.speaker !== speaker || owners.length === 0) {
      owners.push({
        speaker,
        start: owners.length === 0 ? Number.NEGATIVE_INFINITY : (Math.min(lastEnd, start) + start) / 2,
      });
    }
    lastEnd = end;
  }
  return owners;
}

function divided(turn: SpeakerTurn, owners: readonly Owner[]): SpeakerTurn[] {
  const parts: SpeakerTurn[] = [];
  const first = lowestPlace(owners.length, (at) => (owners[at + 1]?.start ?? Number.POSITIVE_INFINITY) > turn.start);
  for (let at = first; at < owners.length; at++) {
    const { start: from, speaker } = owners[at] as Owner;
    if (from >= turn.end) break;
    const start = Math.max(turn.start, from);
    const end = Math.min(turn.end, owners[at + 1]?.start ?? Number.POSITIVE_INFINITY);
    if (end > start) parts.push({ ...turn, speaker: speaker ?? turn.speaker, start, end });
  }
  return parts;
}

/** Joins turns of one speaker in one channel that overlap or touch. */
function united(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  const last = new Map<string, SpeakerTurn>();
  const all: SpeakerTurn[] = [];
  for (const turn of turns.toSorted((left, right) => left.start - right.start)) {
    const key = keyOf(turn.channel, turn.speaker);
    const before = last.get(key);
    if (before && turn.start <= before.end) {
      before.end = Math.max(before.end, turn.end);
      continue;
    }
    const one = { ...turn };
    last.set(key, one);
    all.push(one);
  }
  return all;
}

/** @param spoken  with corrections applied @returns turns in order; of utterances without a recognised speaker, their own times */
export function correctedTurns(turns: readonly SpeakerTurn[], spoken: readonly SpokenUtterance[]): SpeakerTurn[] {
  const runs = new Map<string, SpeakerRun[]>();
  const added: SpeakerTurn[] = [];
  for (const utterance of spoken) {
    const { channel } = utterance.source;
    for (const run of utterance.runs()) {
      const { speaker, recognised, start, end } = run;
      const key = keyOf(channel, recognised);
      const own = runs.get(key);
      if (own) own.push(run);
      else runs.set(key, [run]);
      if (recognised === undefined && speaker !== undefined) added.push({ speaker, start, end, channel });
    }
  }
  const owners = new Map([...runs].map(([key, own]) => [key, ownersOf(own)]));
  const kept = turns.flatMap((turn) => {
    const own = owners.get(keyOf(turn.channel, turn.speaker));
    return own ? divided(turn, own) : [turn];
  });
  return united([...kept, ...added]);
}

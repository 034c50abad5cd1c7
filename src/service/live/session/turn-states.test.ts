import { expect, test } from "vitest";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import type { LiveEvent } from "../events/live-event.ts";
import { TurnStates } from "./turn-states.ts";

const place = { channel: 0, seconds: 2 };
const utterance = { channel: 0, text: " Hello." } as Utterance;
const started: LiveEvent = { kind: "speechStarted", ...place };
const stopped: LiveEvent = { kind: "speechEnded", ...place };
const final: LiveEvent = { kind: "final", id: "00_00000000", utterance };
const probable: LiveEvent = { kind: "turnProbablyOver", ...place, probability: 0.6, id: "00_00000000", utterance };
const resumed: LiveEvent = { kind: "turnResumed", ...place };
const over: LiveEvent = { kind: "turnOver", ...place, probability: null, reason: "silence" };

test("the state of a turn follows from the persisted events, also where the process was lost before the end was stored", () => {
  for (const [events, state] of [
    [[], undefined],
    [[started], "open"],
    [[started, probable], "probable"],
    [[started, probable, resumed], "open"],
    [[started, probable, stopped], "probable"],
    [[started, probable, stopped, final], { endedAt: 2 }],
    [[started, probable, stopped, final, over], undefined],
    [[started, { ...stopped, isCut: true }, final], "open"],
    [[started, stopped, { kind: "speechUnrecognized", channel: 0, range: [1, 2], isFiller: true }], { endedAt: 2 }],
    [[started, stopped, { kind: "speechUnrecognized", channel: 0, range: [1, 2] }], "open"],
    // A number is continued beyond the silence that ended the speech.
    [[started, stopped, probable, final], { endedAt: 2 }],
    [[started, stopped, started, final], "open"],
    [[started, { ...started, channel: 1 }, over], undefined],
  ] as [LiveEvent[], unknown][]) {
    const states = new TurnStates();
    for (const event of events) states.observe(event);
    expect(states.of(0)).toEqual(state);
  }
});

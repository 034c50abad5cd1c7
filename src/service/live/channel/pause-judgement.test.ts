// A channel whose pauses are judged.
import { expect, test } from "vitest";
import { type Final, fakeServices, finalsOf, type Report, soundOf } from "../../../../test/fixtures/channel-run.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { ChannelStream } from "./channel.ts";

const starts = ({ finals }: { finals: Final[] }) =>
  finals.map(({ utterance }) => Math.round(10 * utterance.start) / 10);

/** Incomplete after the first stretch of speech, complete later. */
const laterComplete = async (samples: Float32Array) => (samples.length > 3 * SAMPLE_RATE ? 0.99 : 0.01);
const AUDIO = soundOf(2, 0.7, 2, 0.5, 1.5, 1, 1, 3);

test("an incomplete turn waits for speech, a complete one ends before the endpointing", async () => {
  const found = await finalsOf(AUDIO, { judge: laterComplete });
  // The pause of 0.7 s is inside of an utterance; that of 0.5 s ends it; the short ones behind it are waited for.
  expect(starts(found)).toEqual([0, 5.2]);
  expect(starts(await finalsOf(AUDIO, { judge: async () => 0.99 }))).toEqual([0, 2.7, 5.2, 7.7]);
  expect(starts(await finalsOf(AUDIO, { isJudging: () => false }))).toEqual([0, 7.7]);
});

test("finals do not depend on how audio arrives, nor on a restart after any final", async () => {
  const whole = await finalsOf(AUDIO, { judge: laterComplete });
  for (const pieceSeconds of [0.02, 0.33, 20]) {
    const other = await finalsOf(AUDIO, { judge: laterComplete }, { pieceSeconds });
    expect(other.finals).toEqual(whole.finals);
  }
  for (const [at, { state }] of whole.finals.entries()) {
    const resumed = await finalsOf(AUDIO, { judge: laterComplete }, { resumed: state });
    expect(resumed.finals.map(({ utterance }) => utterance)).toEqual(
      whole.finals.slice(at + 1).map(({ utterance }) => utterance),
    );
  }
});

test("a restart after an utterance of the longest length continues it where it was cut", async () => {
  const isJudging = () => false;
  for (const audio of [soundOf(75, 1.5, 1, 3), soundOf(30.02), soundOf(30.02, 2, 1, 2), soundOf(29.6, 0.3, 1, 2)]) {
    const whole = await finalsOf(audio, { isJudging });
    expect(whole.finals.length).toBeGreaterThan(1);
    for (const [at, { state }] of whole.finals.entries()) {
      const resumed = await finalsOf(audio, { isJudging }, { resumed: state });
      expect(resumed.finals.map(({ utterance }) => utterance)).toEqual(
        whole.finals.slice(at + 1).map(({ utterance }) => utterance),
      );
    }
  }
});

test("a restart repeats no report of speech, and omits none", async () => {
  const audio = soundOf(2, 1.5, 1, 1.5, 35, 1.5, 1, 3);
  const whole = await finalsOf(audio, {});
  expect(whole.speech).toHaveLength(10);
  const begin = { state: undefined, speechReports: 0 };
  for (const { state, speechReports } of [begin, ...whole.finals]) {
    const following = whole.speech.slice(speechReports);
    for (let count = 0; count <= following.length; count++) {
      const { speech } = await finalsOf(audio, {}, { resumed: state, reported: following.slice(0, count) });
      expect(speech).toEqual(following.slice(count));
    }
  }
});

test("speech_start and speech_end are reported if only the end of the comparison shows that the speech is the channel's own", async () => {
  // A pause that the judgement continues, and an utterance of more than ten seconds, of which no word is left out.
  const audio = soundOf(0.5, 1.5, 0.8, 0.7, 0.8, 1.5, 25, 1.5);
  const judge = laterComplete;
  const whole = await finalsOf(audio, { judge });
  expect(whole.begun).toHaveLength(3);
  const isCarried = () => false;
  const late = await finalsOf(audio, { judge }, { sources: { carrierOf: () => 1, isCarried } });
  for (const key of ["begun", "ends"] as const) expect(late[key]).toEqual(whole[key]);
  expect(late.finals.map(({ utterance }) => utterance)).toEqual(whole.finals.map(({ utterance }) => utterance));
  // What came before the channel began to differ is in the finals of the other one.
  const distinctSince = () => 99;
  const later = await finalsOf(audio, {}, { sources: { carrierOf: () => 1, isCarried: () => false, distinctSince } });
  expect([later.begun, later.ends]).toEqual([[], []]);
  const carried = await finalsOf(audio, {}, { sources: { carrierOf: () => 1, isCarried: () => true } });
  expect([carried.begun, carried.ends, carried.finals]).toEqual([[], [], []]);
});

test("a turn that will probably end does not cancel the recognition that the detection awaits", async () => {
  const services = fakeServices();
  const waiting: (() => void)[] = [];
  const { recognition } = services as unknown as { recognition: { recognize: (...all: unknown[]) => unknown } };
  const { recognize } = recognition;
  // Every recogniser is busy: a request waits, and fails if it is cancelled.
  recognition.recognize = (...all) =>
    new Promise((resolve, reject) => {
      const { signal } = all[2] as { signal?: AbortSignal };
      signal?.addEventListener("abort", () => reject(signal.reason));
      waiting.push(() => resolve(recognize(...all)));
    });
  let releasing: NodeJS.Timeout | undefined;
  const beforeEnd = async (channel: ChannelStream) => {
    await expect.poll(() => waiting.length).toBe(1);
    channel.anticipateTurnEnd();
    releasing = setInterval(() => {
      for (const release of waiting.splice(0)) release();
    }, 1);
  };
  // Words are settled at ten seconds; less than a window follows.
  const audio = soundOf(10.03);
  const { finals } = await finalsOf(audio, { isJudging: () => false }, { services, pieceSeconds: 20, beforeEnd });
  clearInterval(releasing);
  expect(finals).toHaveLength(1);
});

test("at most eight seconds are judged, from the beginning of the utterance", async () => {
  const { judged } = await finalsOf(soundOf(1, 0.5, 12, 1), { judge: async () => 0.99 });
  expect(judged[0]).toBeGreaterThan(1.05);
  expect(judged[0]).toBeLessThan(1.25);
  expect(judged[1]).toBe(8);
});

test("the longest wait bounds every judgement", async () => {
  const turns = { judge: async () => 0, maximumSeconds: 0.4 };
  expect(starts(await finalsOf(soundOf(1, 0.7, 1, 0.3, 1, 1), turns))).toEqual([0, 1.7]);
});

test("a detector that fails is reported once, and the endpointing ends utterances from then on", async () => {
  const found = await finalsOf(soundOf(1, 0.5, 1, 1.5, 1, 2), {
    judge: () => Promise.reject(new Error("damaged")),
  });
  expect(found.failures).toHaveLength(1);
  expect(starts(found)).toEqual([0, 4]);
});

/** The kinds, with times rounded to tenths. */
const kinds = ({ reports }: { reports: Report[] }) =>
  reports.map(([kind, at]) => (typeof at === "number" ? `${kind} ${Math.round(10 * at) / 10}` : kind));
const incomplete = { judge: async () => 0.3 };

test("a pause is probably over before it is over, and speech resumes it", async () => {
  const found = await finalsOf(soundOf(2, 0.5, 1, 2, 1, 1), incomplete);
  const turn = ["final", "over"];
  expect(kinds(found)).toEqual([
    ...["probable 2", "resumed 2.5", "probable 3.5", turn[0], "over 3.5", "probable 6.5", turn[0], "over 6.5"],
  ]);
  const [probable] = found.reports;
  expect(probable).toEqual(["probable", expect.any(Number), expect.any(Number), expect.stringMatching(/word/)]);
  // At the end of the turn, the text is that of its final.
  const last = found.reports.findLast(([kind]) => kind === "probable");
  expect(last?.[3]).toBe(found.finals.at(-1)?.utterance.text);
});

test("a turn that is over at once has no earlier report; one that waits for the longest silence is over by silence", async () => {
  expect((await finalsOf(soundOf(1, 1), { threshold: 0.5 })).reports.map(([kind]) => kind)).toEqual(["final", "over"]);
  const found = await finalsOf(soundOf(1, 3), { judge: async () => 0.01, maximumSeconds: 0.6 });
  expect(found.reports.at(-1)).toEqual(["over", expect.any(Number), expect.any(Number), "silence"]);
  const judged = await finalsOf(soundOf(1, 3), incomplete);
  const [probability, reason] = judged.reports.at(-1)?.slice(2) ?? [];
  expect(reason).toBe("model");
  expect(probability).toBeGreaterThan(0.8);
});

test("without a judgement, half of the silence is a probable end; the end of the audio closes it", async () => {
  const silent = { isJudging: () => false };
  const found = await finalsOf(soundOf(1, 0.7, 1, 0.3, 1, 0.7), silent);
  expect(kinds(found)).toEqual(["probable 1", "resumed 1.7", "probable 4", "final", "over 4.7"]);
  expect(found.reports.at(-1)).toEqual(["over", expect.any(Number), null, "stop"]);
});

test("every probable end is closed once, however audio arrives, and the finals are those without reports", async () => {
  const whole = await finalsOf(AUDIO, incomplete);
  for (const pieceSeconds of [0.02, 0.33, 20]) {
    expect((await finalsOf(AUDIO, incomplete, { pieceSeconds })).reports).toEqual(whole.reports);
  }
  const states = whole.reports.map(([kind]) => kind).filter((kind) => kind !== "final");
  for (const [at, kind] of states.entries()) {
    if (kind === "probable") expect(["resumed", "over"]).toContain(states[at + 1]);
    if (kind === "resumed") expect(states[at - 1]).toBe("probable");
  }
  expect(states.at(-1)).toBe("over");
});

test("the next process closes what the lost one reported", async () => {
  const probable = await finalsOf(soundOf(1, 0.5, 1, 2), incomplete, { state: "probable" });
  expect(kinds(probable)).toEqual(["resumed 0", "probable 1", "resumed 1.5", "probable 2.5", "final", "over 2.5"]);
  const ended = await finalsOf(soundOf(0, 1), incomplete, { state: { endedAt: 0.4 } });
  expect(ended.reports).toEqual([["over", 0.4, null, "silence"]]);
  const silent = await finalsOf(soundOf(0, 1), incomplete, { state: "probable" });
  expect(kinds(silent)).toEqual(["over 1"]);
});

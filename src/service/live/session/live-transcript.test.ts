import { expect, test } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { transcription, utterance } from "../../../../test/fixtures/utterances.ts";
import { type AddonParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { ChannelChange, ChannelState } from "../channel/channel-contract.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { EventClass, LiveEvent } from "../events/live-event.ts";
import { LiveTranscript, type TranscriptSession } from "./live-transcript.ts";

const STATE = {} as ChannelState;

/** A session without audio. */
class World {
  readonly sent: LiveEvent[] = [];
  /** Whether each call of an add-on masks profanity. */
  readonly masks: boolean[] = [];
  readonly transcript: LiveTranscript;

  constructor(
    realtime: object,
    readonly log = new MemoryLog(),
  ) {
    const request = parseLiveParameters({ realtime_processing: realtime });
    const resultProcesses = {
      send: async ({ request: { params } }: { request: { params: AddonParameters } }) => {
        this.masks.push(params.profanity_filter === true);
        return { kind: "answer", answer: { success: true, results: [] } };
      },
    };
    const subscription = new Set<EventClass>(["partials", "finals", "speech"]);
    this.transcript = new LiveTranscript({
      id: "id",
      params: { request, endpointingSeconds: 0.1, models: {}, subscription },
      log: log.open(),
      services: { recordFormat: RECORD_FORMAT, multilingual: {}, accountId: "account", languages: {}, resultProcesses },
      isRecording: () => true,
      seconds: () => 0,
      channels: () => ({
        entriesFor: (channel: number, state: object) => [{ kind: "channel", channel, state }],
        change: ({ applied }: ChannelChange) => applied(0),
      }),
      handleStorageError: (error: unknown) => {
        throw error;
      },
    } as unknown as TranscriptSession);
  }

  async connect() {
    await this.transcript.outbox.attach({
      send: async ({ event }) => void this.sent.push(event),
      answer: async () => undefined,
      arrival: async () => undefined,
    });
    return this.transcript.channelEvents(() => undefined);
  }

  /** Kinds and texts of what was sent. */
  async texts(): Promise<string[]> {
    await this.transcript.outbox.settled();
    return this.sent.map((event) => ("utterance" in event ? `${event.kind}: ${event.utterance.text}` : event.kind));
  }
}

test("an utterance of fillers alone has neither partials nor a final, and the end of its speech is stated", async () => {
  const world = new World({ filler_words: "drop" });
  const events = await world.connect();
  events.partial("a", utterance("Um."));
  await events.final("a", utterance("Um, uh.", 1, 0), STATE);
  events.partial("b", utterance("Well."));
  events.partial("b", utterance("Um."));
  events.partial("b", utterance("Um"));
  events.partial("b", utterance("Um, I think."));
  await events.final("b", utterance("Um, I think.", 5, 0), STATE);
  expect(await world.texts()).toEqual([
    "speechUnrecognized",
    "partial: Well.",
    "partial: ",
    "partial: I think.",
    "final: I think.",
  ]);
  expect(world.sent[0]).toMatchObject({ channel: 0, range: [1, expect.any(Number)], isFiller: true });
  expect([...world.transcript.finals.keys()]).toEqual(["b"]);
  expect(world.transcript.warnings).toEqual([]);
  // The state of the channel is stored with it: the next process does not recognise that speech again.
  expect(world.log.entries.slice(0, 2)).toMatchObject([{ kind: "message" }, { kind: "channel", state: STATE }]);
  const resumed = new World({ filler_words: "drop" }, world.log);
  expect([...resumed.transcript.finals.keys()]).toEqual(["b"]);
  expect(resumed.transcript.warnings).toEqual([]);
});

test("a number in words has a capital only where a sentence begins, also after a restart", async () => {
  const world = new World({ numerals: false });
  const events = await world.connect();
  await events.final("a", utterance("We need", 0, 0), STATE);
  await events.final("other", utterance("5 here", 0, 1), STATE);
  events.partial("b", utterance("5 more", 1, 0));
  await events.final("b", utterance("5 more.", 1, 0), STATE);
  await events.final("c", utterance("6 remain", 3, 0), STATE);
  expect(await world.texts()).toEqual([
    "final: We need",
    "final: Five here",
    "partial: five more",
    "final: five more.",
    "final: Six remain",
  ]);
  const resumed = new World({ numerals: false }, world.log);
  const later = await resumed.connect();
  await later.final("d", utterance("7 days", 5, 0), STATE);
  expect((await resumed.texts()).at(-1)).toBe("final: seven days");
});

test("fillers alone that replace words of a partial at the end clear them", async () => {
  const world = new World({ filler_words: "drop" });
  const events = await world.connect();
  events.partial("a", utterance("I."));
  await events.final("a", utterance("Um."), STATE);
  expect(await world.texts()).toEqual(["partial: I.", "partial: ", "speechUnrecognized"]);
});

test("translations are masked by the settings in force", async () => {
  const world = new World({ translation: true, translation_config: { target_languages: ["en"], partials: true } });
  const events = await world.connect();
  const { addons, changes } = world.transcript;
  const final = async (id: string) => {
    await events.final(id, utterance("Mist."), STATE);
    await addons.settled();
  };
  // One call has prepared the models by a sample.
  world.masks.splice(0);
  await final("a");
  await changes.configure({ realtime_processing: { profanity_filter: true } }, { configure: () => undefined });
  await final("b");
  events.partial("c", utterance("Mist"));
  await expect.poll(() => world.masks).toEqual([false, true, true]);
  await addons.finish(transcription("Mist."));
  expect(world.masks).toEqual([false, true, true, true]);
});

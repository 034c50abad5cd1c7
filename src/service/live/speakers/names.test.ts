// Names of live speakers are sent when they change, and again to a new connection.
import { expect, test } from "vitest";
import type { SpeakerIdentity } from "../../../contract/transcript/transcript.ts";
import type { KnownPerson } from "../../../speech/speakers/known-voices.ts";
import { SpeakerNames } from "./names.ts";

const ANA: KnownPerson = { id: "v1", name: "Ana", prints: [Float32Array.of(1, 0)], seconds: [10] };

test("names are sent once, and again to a new connection; the library is compared at most every two seconds", async () => {
  const sent: SpeakerIdentity[][] = [];
  let reads = 0;
  const names = new SpeakerNames(
    async () => {
      reads++;
      return [ANA];
    },
    (speakers) => sent.push(speakers),
  );
  names.resend();
  const prints = () => [
    { speaker: 0, print: [1, 0], seconds: 5 },
    { speaker: 1, print: [0, 1], seconds: 5 },
  ];
  await names.update("model", prints);
  await names.update("model", prints);
  const expected = [{ speaker: 0, name: "Ana", confidence: expect.any(Number), voice_id: "v1" }];
  expect(sent).toEqual([expected]);
  expect(reads).toBe(1);
  names.resend();
  expect(sent).toEqual([expected, expected]);
});

test("a library that cannot be opened gives no names, and no error", async () => {
  const sent: SpeakerIdentity[][] = [];
  const names = new SpeakerNames(
    () => Promise.reject(new Error("sealed with another key")),
    (speakers) => sent.push(speakers),
  );
  await names.update("model", () => [{ speaker: 0, print: [1, 0], seconds: 5 }]);
  expect(sent).toEqual([]);
});

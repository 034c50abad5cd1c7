// Speech in two languages, and English that could be taken for another language, on an installation that has the English models alone;
// skipped where ../shared is missing.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joined, recording, samplesOf, spoken } from "../fixtures/foreign-speech.ts";
import { hasShared, SHARED, wav } from "../fixtures/recordings.ts";
import { finished, type RunningService, ready, startService, submit } from "../service.ts";

describe.skipIf(!hasShared)("without a model for other languages (skipped where ../shared is missing)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await ready(service);
  });
  afterAll(() => service.remove());

  test("English is not refused: read, with accents, in meetings, of a second", async () => {
    const names = ["speech-en", "reading-03", "order-07", "order-12", "order-33", "meeting-dev00", "speech-1961-en"];
    const ids = await Promise.all(names.map((name) => submit(service, recording(name))));
    for (const [at, id] of ids.entries()) {
      const { status, result } = await finished(service, id);
      expect(status, names[at]).toBe("done");
      expect(result.transcription.utterances.length, names[at]).toBeGreaterThan(0);
      // Overlapping speakers score lower: on some processors there is a warning that the speech may not be English.
      if (names[at] !== "meeting-dev00") expect(result.metadata, names[at]).not.toHaveProperty("warnings");
    }
  });

  test("of a recording in two languages the English part stays, with a warning", async () => {
    const english = await samplesOf("speech-en");
    const foreign = await Promise.all(["es", "fr", "it", "es", "de", "fr"].map((code) => samplesOf(`speech-${code}`)));
    const both = wav([joined(english, english, english, ...foreign)]);
    const { result } = await finished(service, await submit(service, both));
    expect(result.transcription.full_transcript).toMatch(/gospel/);
    expect(result.transcription.utterances.at(-1).end).toBeLessThan((3 * english.length) / 16_000 + 4);
    // A block between both languages may be doubtful.
    expect(result.metadata.warnings[0]).toMatch(/s of speech were left out\. .*not in English/);
  });

  test("quiet English has all of its words, also right behind a louder speaker", async () => {
    // Whether the model reads "ask" or "as" depends on the rounding of the processor.
    const expected: [string, RegExp][] = [
      [
        "quiet-40dB",
        /^And so my fellow Americans\W+Ask? not\W+what your country can do for you\W+ask what you can do/i,
      ],
      ["loud-then-quiet-voice", /country\W+For although the Chinese took impressions/],
    ];
    for (const [name, text] of expected) {
      const file = path.join(SHARED, "..", "cases", `${name}.flac`);
      if (!existsSync(file)) continue;
      const { result } = await finished(service, await submit(service, readFileSync(file)));
      expect(result.transcription.full_transcript).toMatch(text);
    }
  });

  test("a live session in English and then another language keeps the English, with a warning", async () => {
    const english = await samplesOf("speech-en");
    const foreign = await Promise.all(["es", "fr", "it", "es", "fr", "it"].map((code) => samplesOf(`speech-${code}`)));
    const { client, job } = await spoken(service, joined(english, ...foreign));
    expect(client.text()).toMatch(/gospel/);
    const foreignSeconds = foreign.reduce((sum, { length }) => sum + length / 16_000, 0);
    expect(client.finals().at(-1).data.utterance.end).toBeLessThan(english.length / 16_000 + 0.75 * foreignSeconds);
    expect(job.status).toBe("done");
    expect(job.result.metadata.warnings).toEqual([expect.stringMatching(/not in English/)]);
  });
});

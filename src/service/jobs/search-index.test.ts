import { expect, test } from "vitest";
import { overviewOf } from "./search-index.ts";

const speakers = (count: number) => Array.from({ length: count }, (_, speaker) => ({ speaker, name: null }));

test("the overview of a job lists its speakers, and counts those beyond the first fifty", () => {
  const transcript = { text: "one two", languages: ["en"] };
  expect(overviewOf({ ...transcript, speakers: speakers(50) })).toEqual({
    languages: ["en"],
    speakers: speakers(50),
    first_words: "one two",
  });
  const overview = overviewOf({ ...transcript, speakers: speakers(62) });
  expect(overview.speakers).toEqual(speakers(50));
  expect(overview.further_speakers).toBe(12);
});

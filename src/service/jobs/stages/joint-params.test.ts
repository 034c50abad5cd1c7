// Parameters of add-ons that are made later, and the request that the job has from then on.
import { expect, test } from "vitest";
import { parseJobParameters } from "../../../contract/job-parameters.ts";
import { jointRequest, laterParams } from "./joint-params.ts";

const later = (config?: object) =>
  parseJobParameters({ diarization: true, ...(config ? { diarization_config: config } : {}) });

function joined(before: object, config?: object) {
  const request = { audio_url: "https://host/a.wav", diarization: true, diarization_config: before };
  const params = parseJobParameters(request);
  const { diarization_config: stored } = jointRequest({ request, params }, later(config), ["diarization"]) as {
    diarization_config: object;
  };
  expect(laterParams(params, later(config)).diarization_config).toEqual(stored);
  return stored;
}

test.each([
  [
    "a later number keeps other settings",
    { identify_speakers: true },
    { number_of_speakers: 3 },
    { identify_speakers: true, number_of_speakers: 3 },
  ],
  [
    "a later number replaces all former numbers",
    { min_speakers: 4, max_speakers: 6 },
    { number_of_speakers: 3 },
    { number_of_speakers: 3 },
  ],
  [
    "a later minimum replaces a former number",
    { number_of_speakers: 2, identify_speakers: true },
    { min_speakers: 3 },
    { identify_speakers: true, min_speakers: 3 },
  ],
  ["a later minimum is not bounded by a former maximum", { max_speakers: 2 }, { min_speakers: 3 }, { min_speakers: 3 }],
  ["later speakers without settings keep those of the job", { max_speakers: 2 }, undefined, { max_speakers: 2 }],
  ["later speakers with empty settings keep those of the job", { max_speakers: 2 }, {}, { max_speakers: 2 }],
])("%s", (_, before, added, expected) => {
  expect(joined(before, added)).toEqual(expected);
});

test("speakers that failed change no setting of the job", () => {
  const request = { diarization: true, diarization_config: { max_speakers: 2 } };
  const params = parseJobParameters(request);
  expect(jointRequest({ request, params }, later({ number_of_speakers: 3 }), [])).toEqual(request);
});

test("a further language joins the others", () => {
  const to = (language: string) => ({ translation: true, translation_config: { target_languages: [language] } });
  const [request, params] = [to("de"), parseJobParameters(to("de"))];
  expect(jointRequest({ request, params }, parseJobParameters(to("fr")), ["translation"])).toMatchObject({
    translation_config: { target_languages: ["de", "fr"] },
  });
});

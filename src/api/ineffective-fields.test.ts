import { expect, test } from "vitest";
import type { LiveBody } from "../contract/live.ts";
import type { PreRecordedBody } from "../contract/pre-recorded.ts";
import { callbackTarget } from "../service/callbacks/enqueue.ts";
import { ineffectiveFields, ineffectiveLiveFields } from "./ineffective-fields.ts";

const [OWN, OTHER] = ["https://receiver.example/own", "https://receiver.example/other"];
const CONFIG = { url: OTHER, method: "PUT" } as const;

test.each<[Pick<PreRecordedBody, "callback" | "callback_url" | "callback_config">, string, string[]]>([
  [{ callback: false, callback_url: OWN }, OWN, []],
  [{ callback: true, callback_url: OWN }, OWN, []],
  [{ callback: true, callback_config: CONFIG }, OTHER, []],
  [
    { callback: false, callback_url: OWN, callback_config: CONFIG },
    OWN,
    ["callback_config has no effect without callback: true"],
  ],
  [
    { callback: true, callback_url: OWN, callback_config: CONFIG },
    OTHER,
    ["callback_url has no effect beside callback_config"],
  ],
])("the address that a request does not use is named in a warning: %j", (callbacks, url, warnings) => {
  expect(callbackTarget("id", callbacks)).toMatchObject({ url });
  expect(ineffectiveFields({ audio_url: "https://host.example/a.wav", ...callbacks } as PreRecordedBody)).toEqual(
    warnings,
  );
});

test("numbers in words are named as without effect where no named language has rules for them", () => {
  const warnings = (languages: string[], numerals: boolean) => {
    const language_config = { languages } as LiveBody["language_config"];
    const recorded = { audio_url: "https://host.example/a.wav", numerals, language_config } as PreRecordedBody;
    const live = { realtime_processing: { numerals }, language_config } as LiveBody;
    return [ineffectiveFields(recorded), ineffectiveLiveFields(live)].map(([first = ""]) => first.split(":")[0]);
  };
  expect(warnings(["pl", "ja"], false)).toEqual([
    "numerals has no effect",
    "realtime_processing.numerals has no effect",
  ]);
  expect(warnings(["pl", "de"], false)).toEqual(["", ""]);
  expect(warnings([], false)).toEqual(["", ""]);
  expect(warnings(["pl"], true)).toEqual(["", ""]);
});

import { expect, test } from "vitest";
import type { PreRecordedBody } from "../contract/pre-recorded.ts";
import { ineffectiveFields } from "./ineffective-fields.ts";

const URL = "https://example.com/a";
const config = { url: URL, method: "PUT" };
const BESIDE = "callback_url has no effect beside callback_config";
const WITHOUT = "callback_config has no effect without callback: true";

test.each<[string, object, string[]]>([
  ["callback_url", { callback_url: URL }, []],
  ["callback_url and callback", { callback_url: URL, callback: true }, []],
  ["callback and its configuration", { callback: true, callback_config: config }, []],
  ["a configuration alone", { callback_config: config }, [WITHOUT]],
  ["callback_url and a configuration", { callback_url: URL, callback_config: config }, [WITHOUT]],
  ["all three", { callback_url: URL, callback: true, callback_config: config }, [BESIDE]],
])("fields of callbacks without effect: %s", (_name, fields, sentences) => {
  expect(ineffectiveFields({ audio_url: URL, ...fields } as unknown as PreRecordedBody)).toEqual(sentences);
});

import { expect, test } from "vitest";
import { withoutSecrets } from "./webhook-header.ts";

test("an answer that repeats the secret, or its beginning, is not stored", () => {
  const hidden = "The answer is not shown: it repeats the value of webhook_auth_header_value";
  expect(withoutSecrets('{"x-auth":"open sesame"}', ["open sesame"])).toBe(hidden);
  expect(withoutSecrets('{"x-auth":"open s', ["open sesame"])).toBe(hidden);
  expect(withoutSecrets('{"x-auth":"a\\"b c d e f"}', ['a"b c d e f'])).toBe(hidden);
  expect(withoutSecrets("no such job", ["open sesame"])).toBe("no such job");
  expect(withoutSecrets("open sesame", [])).toBe("open sesame");
});

import { expect, test } from "vitest";
import { withoutStrayDashes } from "./stray-dashes.ts";

const cleaned = (text: string) =>
  withoutStrayDashes(text.split(" ").map((word) => ({ text: word })))
    .map(({ text: word }) => word)
    .join(" ");

test.each([
  ["- Yeah, yeah.", "Yeah, yeah."],
  ["-Yeah, yeah.", "Yeah, yeah."],
  ["– Yes. — No. -Maybe.", "Yes. No. Maybe."],
  ["I see. - Right.", "I see. Right."],
  ["and then -", "and then"],
  ["so - I mean", "so I mean"],
  ["well-known twenty-two", "well-known twenty-two"],
  ["it was — well, odd", "it was — well, odd"],
  ["it is -5 degrees", "it is -5 degrees"],
  ["-5 degrees", "-5 degrees"],
  ["-", ""],
])("%s", (heard, written) => {
  expect(cleaned(heard)).toBe(written);
});

test("text after a lone dash without a space is a separate word", () => {
  const words = [{ text: "Yes." }, { text: "-" }, { text: "No.", isJoined: true }];
  expect(withoutStrayDashes(words)).toEqual([{ text: "Yes." }, { text: "No.", isJoined: false }]);
});

import { expect, test } from "vitest";
import { joinedTexts } from "./joined-texts.ts";

const of = (language: string, ...texts: string[]) => texts.map((text) => ({ text, language }));

test("texts are joined as their languages are written", () => {
  expect(joinedTexts(of("en", " Yes.", "", "It is. "))).toBe("Yes. It is.");
  expect(joinedTexts(of("zh", "我们今天", "去公园。"))).toBe("我们今天去公园。");
  expect(joinedTexts(of("zh", "我是 John", "Smith 吗"))).toBe("我是 John Smith 吗");
  expect(joinedTexts([...of("zh", "你好"), ...of("en", "hello")])).toBe("你好 hello");
  expect(joinedTexts(of("th", "ไป Cafe\u0301", "Bar ครับ"))).toBe("ไป Cafe\u0301 Bar ครับ");
  expect(joinedTexts([])).toBe("");
});

test("texts that continue another one begin with the space behind it", () => {
  expect(joinedTexts(of("en", "It is."), { text: "Yes.", language: "en" })).toBe(" It is.");
  expect(joinedTexts(of("zh", "去公园。"), { text: "我们今天", language: "zh" })).toBe("去公园。");
});

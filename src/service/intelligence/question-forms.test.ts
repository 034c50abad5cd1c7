import { describe, expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import { punctuated } from "./wording.ts";

const endOf = (text: string) => punctuated(utterance(text)).text.at(-1);

describe("the mark of a sentence that has none", () => {
  test.each([
    "where are you going",
    "when did you come",
    "when is the meeting",
    "what time is it",
    "what's your name",
    "what happened",
    "what about lunch",
    "who is there",
    "who wants pizza",
    "why not",
    "why",
    "how are you",
    "how about Friday",
    "how many people came",
    "how much is the fish",
    "how long will the flight take",
    "which train did you take",
    "which one do you want",
    "is that so",
    "are you sure",
    "was the door open",
    "is John here",
    "did Anna call",
    "does it work",
    "do you know him",
    "don't you think so",
    "isn't it nice",
    "can you hear me",
    "could someone help me",
    "would the others come",
    "will you marry me",
    "will the train be late",
    "should we go",
    "have you seen it",
    "has anyone called",
    "It rains. Are you coming",
  ])("is a question mark: %s", (text) => {
    expect(endOf(text)).toBe("?");
  });

  test.each([
    "when I was young I lived in Paris",
    "when people ask I say no",
    "do it now",
    "do the dishes",
    "do your homework",
    "don't do it",
    "will smith is here",
    "Will Smith is here",
    "have a nice day",
    "have fun",
    "what I need is time",
    "what a day",
    "what people want is money",
    "what is important is that we go",
    "what's more we have no time",
    "which is fine",
    "which is why we left",
    "how it works is simple",
    "where I live it is cold",
    "where there's smoke there is fire",
    "why I left is a long story",
    "who he is nobody knows",
    "was a good day",
    "can do",
    "had I known it",
    "how to do it",
    "what to do",
    "what people do is wrong",
    "should be fine",
    "could be better",
    "Are you coming? Yes I am",
  ])("is a full stop: %s", (text) => {
    expect(endOf(text)).toBe(".");
  });
});

import { expect, test } from "vitest";
import { contentDisposition, dispositionFilename } from "./content-disposition.ts";

test.each([
  ['attachment; filename="call 7.wav"', "call 7.wav"],
  ["attachment; filename=call.wav", "call.wav"],
  ["inline;FILENAME = call.wav ; size=3", "call.wav"],
  ['attachment; filename="a \\"b\\".mp3"', 'a "b".mp3'],
  ["attachment; filename*=UTF-8''Gespr%C3%A4ch.mp3", "Gespräch.mp3"],
  ["attachment; filename*=iso-8859-1'en'%A3.mp3", "£.mp3"],
  ["attachment; filename=\"x.mp3\"; filename*=utf-8''%E2%82%AC.mp3", "€.mp3"],
  [`attachment; filename="${Buffer.from("Gespräch.mp3").toString("latin1")}"`, "Gespräch.mp3"],
  ["attachment; filename*=UTF-8''%E0%A4%A; filename=plain.mp3", "plain.mp3"],
  ["attachment", undefined],
  ['attachment; filename=""', undefined],
  ['form-data; name="filename"', undefined],
])("%s names %s", (header, name) => {
  expect(dispositionFilename(header)).toBe(name);
});

test("written data is read back", () => {
  for (const name of ["a.wav", "Gespräch 1.mp3", "会议.m4a"])
    expect(dispositionFilename(contentDisposition(name))).toBe(name);
});

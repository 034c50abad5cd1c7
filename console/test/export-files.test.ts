// The zip file of several transcripts: names that every file system takes, and contents that come out as they went in.
import fc from "fast-check";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { fileNames } from "../src/pages/file-names.ts";
import { ZipFile } from "../src/pages/zip-file.ts";

test.each([
  ["Council / Budget: part 1", "Council - Budget- part 1.txt"],
  ["../../etc/passwd", "-..-etc-passwd.txt"],
  ["C:\\temp\\notes", "C-temp-notes.txt"],
  ['Who said "no"?', "Who said 'no'.txt"],
  ["<b>*</b>", "b-b.txt"],
  ["...", "transcript.txt"],
  [" .hidden. ", "hidden.txt"],
  ["two\nlines\u0000", "two lines.txt"],
  ["abc\u202Etxt.exe", "abc txt.exe.txt"],
  ["con", "_con.txt"],
  ["NUL.2026", "_NUL.2026.txt"],
  ["com¹", "_com¹.txt"],
  ["console", "console.txt"],
  ["Aufnahme für Ängstliche", "Aufnahme für Ängstliche.txt"],
  ["会議の録音", "会議の録音.txt"],
  ["اجتماع مجلس", "اجتماع مجلس.txt"],
])("%j is the file %j", (name, file) => {
  expect(fileNames([name], "txt")).toEqual([file]);
});

test("equal names get numbers, also where only the case or the composition of letters differs", () => {
  const names = ["Talk", "talk", "Talk (2)", "Ärzte", "A\u0308rzte", "Talk?"];
  expect(fileNames(names, "srt")).toEqual([
    "Talk.srt",
    "talk (2).srt",
    "Talk (2) (2).srt",
    "Ärzte.srt",
    "Ärzte (2).srt",
    "Talk (3).srt",
  ]);
});

test("every list of names gives as many files, each of its own and within the bounds of file systems", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom("a", "A", ".", " ", "/", "(2)", "会", "😀", "\ud800"), maxLength: 300 }),
    fc.constantFrom("aux", "LPT9.x", "..", ""),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), (names) => {
      const files = fileNames(names, "docx");
      expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
      for (const file of files) {
        expect(file).toMatch(/^[^.\s].*\.docx$/u);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: which no name may have
        expect(file).not.toMatch(/[\u0000-\u001f\u007f/\\:*?"<>|\ud800-\udfff]/u);
        expect(file).not.toMatch(/[\s.]\.docx$/u);
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
        expect(Buffer.byteLength(file)).toBeLessThan(255);
      }
    }),
  );
});

test("a zip file has each file with its name in any script and its content", async () => {
  const files = {
    "会議.txt": new TextEncoder().encode("Hello. ".repeat(5_000)),
    "empty.vtt": new Uint8Array(),
    "Ärzte.docx": crypto.getRandomValues(new Uint8Array(3_000)),
  };
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.add(name, content);
  const made = zip.finish();
  expect(made.size).toBeLessThan(5_000);
  const found = unzipSync(new Uint8Array(await made.arrayBuffer()));
  expect(Object.keys(found)).toEqual(Object.keys(files));
  for (const [name, content] of Object.entries(files))
    expect(Buffer.from(found[name] ?? []).equals(content)).toBe(true);
});

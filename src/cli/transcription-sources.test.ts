// Which files a call of `parlance transcribe` takes, and what it says about the others.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tone, wav } from "../../test/fixtures/recordings.ts";
import { expandPattern, matchesName } from "./file-pattern.ts";
import { namedSources } from "./transcription-sources.ts";

/** More than 4,096 bytes of path. */
const NEST_LEVELS = 30;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-sources-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

async function taken(...given: string[]) {
  const { sources, leftOut } = await namedSources(given.map((one) => path.join(folder, one)));
  return {
    files: sources.map(({ source }) => path.relative(folder, source)),
    leftOut: Object.fromEntries(leftOut.map(({ file, reason }) => [path.relative(folder, file), reason])),
    hasFailed: leftOut.some(({ isFailure }) => isFailure),
  };
}

const RECORDING = wav([tone(0.1, 440)]);

describe("a folder", () => {
  test("recordings are taken by their extension, in any case, and by their content", async () => {
    const names = ["a.MTS", "b.m2ts", "c.vob", "d.3ga", "e.mpga", "f.asf", "g.f4v", "h.mp3", "i.wma", "j.m4b", "k.oga"];
    make(Object.fromEntries(names.map((name) => [name, "x"])));
    make({
      "z-no-extension": RECORDING,
      "z-strange.ext": RECORDING,
      "below/talk.bin": Buffer.from("OggS".padEnd(64)),
    });
    const { files, hasFailed } = await taken(".");
    expect(files).toEqual([...names, path.join("below", "talk.bin"), "z-no-extension", "z-strange.ext"].sort());
    expect(hasFailed).toBe(false);
  });

  test("other files are named with the reason, and hidden ones are not read", async () => {
    make({ "talk.mp3": "x", "talk.txt": "text", "photo.jpg": "JFIF and more bytes than sixteen", ".hidden.mp3": "x" });
    const { files, leftOut, hasFailed } = await taken(".");
    expect(files).toEqual(["talk.mp3"]);
    expect(leftOut).toEqual({
      "talk.txt": expect.stringMatching(/text/),
      "photo.jpg": expect.stringMatching(/content/),
    });
    expect(hasFailed).toBe(false);
  });

  test("without recordings is a failure", async () => {
    make({ "read.me": "nothing" });
    expect(await taken(".")).toMatchObject({ files: [], hasFailed: true });
  });

  test("links to files and folders are followed, each folder is read once, and a broken link is a failure", async () => {
    make({ "real/talk.mp3": "x", "given/own.mp3": "x" });
    symlinkSync(path.join(folder, "real"), path.join(folder, "given", "linked"));
    symlinkSync(path.join(folder, "given"), path.join(folder, "real", "loop"));
    symlinkSync(path.join(folder, "real", "talk.mp3"), path.join(folder, "given", "talk.mp3"));
    symlinkSync(path.join(folder, "nowhere"), path.join(folder, "given", "broken.mp3"));
    const { files, leftOut, hasFailed } = await taken("given");
    expect(files).toEqual(["given/linked/talk.mp3", "given/own.mp3", "given/talk.mp3"]);
    expect(leftOut).toEqual({
      "given/broken.mp3": expect.stringMatching(/target of the link does not exist/),
      "given/linked/loop": expect.stringMatching(/already read/),
    });
    expect(hasFailed).toBe(true);
  });

  test.skipIf(process.platform === "win32")("one that cannot be read is a failure", async () => {
    make({ "talk.mp3": "x", "nest/talk.mp3": "x" });
    // Its path is longer than the operating system allows, which also stops root.
    const [nest, outer] = [path.join(folder, "nest"), path.join(folder, "outer")];
    const inside = path.join(outer, "n".repeat(200));
    for (let level = 0; level < NEST_LEVELS; level++) {
      mkdirSync(outer);
      renameSync(nest, inside);
      renameSync(outer, nest);
    }
    const { files, hasFailed } = await taken(".");
    for (let level = 0; level < NEST_LEVELS; level++) {
      renameSync(nest, outer);
      renameSync(inside, nest);
      rmSync(outer, { recursive: true });
    }
    expect({ files, hasFailed }).toEqual({ files: ["talk.mp3"], hasFailed: true });
  });
});

describe("other arguments", () => {
  test("a missing file is a failure, and the others are taken", async () => {
    make({ "talk.mp3": "x" });
    expect(await taken("talk.mp3", "nowhere.mp3")).toEqual({
      files: ["talk.mp3"],
      leftOut: { "nowhere.mp3": expect.stringMatching(/there is no file/) },
      hasFailed: true,
    });
  });

  test("an address whose password must be encoded is a failure, and its password is not shown", async () => {
    const { sources, leftOut } = await namedSources(["https://me:pa/ss@example.com/a.mp3"]);
    expect(sources).toEqual([]);
    expect(leftOut).toEqual([
      { file: "https://example.com/a.mp3", reason: expect.stringMatching(/password .* %2F/), isFailure: true },
    ]);
  });

  test("a pattern is expanded", async () => {
    make({
      "a.mp3": "x",
      "b.wav": "x",
      "a.txt": "x",
      "below/c.mp3": "x",
      "below/deep/d.MP3": "x",
      ".hidden/e.mp3": "x",
    });
    expect((await taken("*.mp3")).files).toEqual(["a.mp3"]);
    expect((await taken("*.{mp3,wav}")).files).toEqual(["a.mp3", "b.wav"]);
    expect((await taken("**/*.mp3")).files).toEqual(["a.mp3", "below/c.mp3"]);
    expect((await taken("**/*.[mM][pP]3")).files).toEqual(["a.mp3", "below/c.mp3", "below/deep/d.MP3"]);
    expect((await taken("b?low")).files).toEqual(["below/c.mp3", "below/deep/d.MP3"]);
    expect(await taken("*.ogg")).toMatchObject({ files: [], hasFailed: true });
  });

  test("a file whose name looks like a pattern is taken as it is, and a file named twice is taken once", async () => {
    make({ "talk [1].mp3": "x", "talk 1.mp3": "x" });
    expect((await taken("talk [1].mp3")).files).toEqual(["talk [1].mp3"]);
    expect((await taken("talk 1.mp3", "talk*.mp3")).files).toEqual(["talk 1.mp3", "talk [1].mp3"]);
  });
});

describe("names with the signs of patterns", () => {
  test.each(["talks [2024]", "talks {a,b}", "{old}", "what?", "*", "[x"])(
    "a folder %s contains what a pattern finds",
    async (name) => {
      if (process.platform === "win32" && /[*?]/.test(name)) return;
      make({ [`${name}/a.wav`]: "x", [`${name}/deep [1]/b {2}.wav`]: "x" });
      expect((await taken(`${name}/*.wav`)).files).toEqual([`${name}/a.wav`]);
      expect((await taken(`${name}/**/*.wav`)).files).toEqual([`${name}/a.wav`, `${name}/deep [1]/b {2}.wav`]);
      expect((await taken(`*/deep [1]/*.wav`)).files).toEqual([`${name}/deep [1]/b {2}.wav`]);
      expect((await taken(`${name}/deep [1]/{b {2},c}.wav`)).files).toEqual([`${name}/deep [1]/b {2}.wav`]);
    },
  );

  test("a folder that exists wins over its reading as a pattern", async () => {
    make({ "talks [2024]/a.wav": "x", "talks 2/b.wav": "x", "a/c.wav": "x", "{a,b}/d.wav": "x" });
    expect((await taken("talks [2024]/*.wav")).files).toEqual(["talks [2024]/a.wav"]);
    expect((await taken("{a,b}/*.wav")).files).toEqual(["{a,b}/d.wav"]);
    expect((await taken("{a/c,talks 2/b}.wav")).files).toEqual(["a/c.wav", "talks 2/b.wav"]);
  });

  test("braces without a comma are part of a name", async () => {
    make({ "part {1} end.wav": "x", "part 1 end.wav": "x" });
    expect((await taken("part {1}*.wav")).files).toEqual(["part {1} end.wav"]);
  });

  test("a missing one is reported as a missing file, too", async () => {
    const { leftOut } = await taken("talk [1].wav");
    expect(leftOut).toEqual({ "talk [1].wav": expect.stringMatching(/there is no such file/) });
  });
});

test("links to the folder above end a search below all folders", async () => {
  make({ "a/talk.wav": RECORDING });
  for (const link of ["b", "c", "d"]) symlinkSync(".", path.join(folder, link));
  symlinkSync("..", path.join(folder, "a", "up"));
  // If folders were read repeatedly, four links would cause 4 to the power of 64 searches.
  expect(await expandPattern(path.join(folder, "**", "*.wav"))).toEqual([path.join(folder, "a", "talk.wav")]);
});

test("a name is matched as by a regular expression", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 8 });
  const pattern = fc.array(fc.constantFrom("*", "?", "a", "b", "[ab]", "[!a]"), { maxLength: 8 });
  const sources = { "*": ".*", "?": ".", "[!a]": "[^a]" } as Readonly<Record<string, string>>;
  fc.assert(
    fc.property(letters, pattern, (name, parts) => {
      const expected = new RegExp(`^${parts.map((part) => sources[part] ?? part).join("")}$`).test(name);
      expect(matchesName(name, parts.join(""))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("matching and expanding take time by the length of the pattern", async () => {
  expect(matchesName("a".repeat(20_000), `${"a*".repeat(50)}b`)).toBe(false);
  expect(await expandPattern(path.join(folder, "{a,b}".repeat(40)))).toEqual([]);
});

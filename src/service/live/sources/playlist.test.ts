// Playlists of HLS and of stations.
import { expect, test } from "vitest";
import { isHls, type Playlist, parsePlaylist, stationAddress } from "./playlist.ts";

const BASE = new URL("http://radio.example/live/master.m3u8");
const read = (...lines: string[]) => parsePlaylist(["#EXTM3U", ...lines].join("\n"), BASE);
const partsOf = (playlist: Playlist) => (playlist.kind === "parts" ? playlist.parts : []);
const variantOf = (playlist: Playlist) =>
  playlist.kind === "variant" ? playlist.url.href.split("/live/")[1] : undefined;

test("parts have their numbers, times, keys and marks", () => {
  const playlist = read(
    "#EXT-X-TARGETDURATION:6",
    "#EXT-X-MEDIA-SEQUENCE:41",
    '#EXT-X-MAP:URI="init.mp4"',
    "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z",
    "#EXTINF:5.5,",
    "a.m4s",
    '#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x1F',
    "#EXT-X-DISCONTINUITY",
    "#EXT-X-GAP",
    "#EXTINF:6,a title, with a comma",
    "https://other.example/b.ts?x=1",
  );
  expect(playlist).toMatchObject({ kind: "parts", targetSeconds: 6, isEnded: false });
  const [first, second] = partsOf(playlist);
  expect(first).toMatchObject({ sequence: 41, seconds: 5.5, isDiscontinuity: false, isGap: false, key: undefined });
  expect(first?.url.href).toBe("http://radio.example/live/a.m4s");
  expect(first?.map?.url.href).toBe("http://radio.example/live/init.mp4");
  expect(first?.onAirAt).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect(second).toMatchObject({ sequence: 42, isDiscontinuity: true, isGap: true, onAirAt: undefined });
  expect(second?.key?.iv?.toString("hex")).toBe(`${"0".repeat(30)}1f`);
  expect(second?.key?.url.href).toBe("http://radio.example/key");
});

test("ranges of a file: their place follows from the previous one of the same file", () => {
  const parts = partsOf(
    read(
      ...[
        '#EXT-X-MAP:URI="whole.mp4",BYTERANGE="700@0"',
        "#EXT-X-BYTERANGE:100@700",
        "whole.mp4",
        "#EXT-X-BYTERANGE:50",
      ],
      ...["whole.mp4", "other.mp4", '#EXT-X-MAP:URI="whole.mp4",BYTERANGE="9"', "#EXT-X-BYTERANGE:5@1", "other.mp4"],
    ),
  );
  expect(parts.map(({ range }) => range)).toEqual([
    ...[{ from: 700, length: 100 }, { from: 800, length: 50 }, undefined, { from: 1, length: 5 }],
  ]);
  expect(parts.map(({ map }) => map?.range)).toEqual([
    ...[
      { from: 0, length: 700 },
      { from: 0, length: 700 },
      { from: 0, length: 700 },
      { from: 0, length: 9 },
    ],
  ]);
});

test("the time of the first part gives those of the following ones, until a break", () => {
  const parts = partsOf(
    read(
      "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z",
      "#EXTINF:2.5,",
      "a",
      "#EXTINF:1,",
      "b",
      "#EXT-X-DISCONTINUITY",
      "c",
    ),
  );
  expect(parts.map(({ onAirAt }) => onAirAt?.toISOString())).toEqual([
    ...["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:02.500Z", undefined],
  ]);
});

test.each([
  ["variants without an address", "#EXT-X-STREAM-INF:", 99_000, /no variant/],
  ["addresses", "a", 99_000, undefined],
  ["keys", '#EXT-X-KEY:METHOD=AES-128,URI="k"', 60_000, undefined],
  ["lines", "", 1_000_000, /more than 100000 lines/],
  ["attributes", `#EXT-X-STREAM-INF:${"A".repeat(8_000)}`, 260, /no variant/],
  ["characters in a line", `#EXT-X-KEY:${"A".repeat(2_000_000)}`, 1, /more than 8192 characters/],
])("a playlist of the greatest size, full of %s, is parsed in a moment", (_, line, count, reason) => {
  const text = `#EXTM3U\n${`${line}\n`.repeat(count)}`;
  expect(text.length).toBeLessThanOrEqual(2_097_152);
  const since = process.cpuUsage();
  if (reason) expect(() => parsePlaylist(text, BASE)).toThrow(reason);
  else expect(partsOf(parsePlaylist(text, BASE)).length).toBeLessThanOrEqual(2_000);
  const { user, system } = process.cpuUsage(since);
  // Microseconds.
  expect(user + system).toBeLessThan(1_000_000);
});

test("the smallest variant is chosen, or its audio alone", () => {
  const variants = [
    '#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO="a"',
    "big.m3u8",
    "#EXT-X-STREAM-INF:BANDWIDTH=90",
    "small.m3u8",
  ];
  expect(variantOf(read(...variants))).toBe("small.m3u8");
  const withAudio = [
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="one",URI="one.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="two",DEFAULT=YES,URI="two.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="mp4a.40.2,avc1",AUDIO="a"',
    "video.m3u8",
  ];
  expect(variantOf(read(...withAudio))).toBe("two.m3u8");
});

test("audio without an address is in the variant, also where other audio has an address", () => {
  const master = (first: string, second: string) =>
    read(
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="one"${first}`,
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="two",URI="two.m3u8"${second}`,
      '#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO="a"',
      "video.m3u8",
    );
  expect(variantOf(master(",DEFAULT=YES", ",DEFAULT=NO"))).toBe("video.m3u8");
  expect(variantOf(master("", ""))).toBe("video.m3u8");
  expect(variantOf(master("", ",DEFAULT=YES"))).toBe("two.m3u8");
});

test("the time of a part may stand before the mark of its break", () => {
  const [, second, third] = partsOf(
    read(
      ...["#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z", "#EXTINF:2,", "a"],
      ...["#EXT-X-PROGRAM-DATE-TIME:2026-01-01T01:00:00Z", "#EXT-X-DISCONTINUITY", "#EXTINF:2,", "b"],
      ...["#EXT-X-DISCONTINUITY", "#EXTINF:2,", "c"],
    ),
  );
  expect(second).toMatchObject({ isDiscontinuity: true, onAirAt: new Date("2026-01-01T01:00:00Z") });
  expect(third).toMatchObject({ isDiscontinuity: true, onAirAt: undefined });
});

test.each([
  ["#EXT-X-BYTERANGE:10", /range of a part/],
  ["#EXT-X-BYTERANGE:0@0", /range of a part/],
  ["#EXT-X-BYTERANGE:10@-1", /range of a part/],
  ['#EXT-X-MAP:URI="a",BYTERANGE="1e3@0"', /range of a part/],
  ['#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"', /SAMPLE-AES/],
  ['#EXT-X-KEY:METHOD=AES-128,URI="k",IV=zz', /vector/],
  ['#EXT-X-KEY:METHOD=AES-128,URI="skd://k",KEYFORMAT="com.example.rights"', /protected by com\.example\.rights/],
  ["http://[", /address/],
])("%s is refused with a reason", (line, reason) => {
  expect(() => read(line, "a.ts")).toThrow(reason);
});

test("numbers are bounded, and of endless playlists the end is read", () => {
  const playlist = read(
    "#EXT-X-TARGETDURATION:1e9",
    "#EXTINF:1e99,",
    "a.ts",
    "#EXTINF:NaN,",
    "b.ts",
    "#EXT-X-MEDIA-SEQUENCE:-5",
    "c.ts",
  );
  expect(playlist).toMatchObject({ targetSeconds: 120 });
  expect(partsOf(playlist).map(({ seconds, sequence }) => [seconds, sequence])).toEqual([
    [120, 0],
    [120, 1],
    [120, 0],
  ]);
  const endless = partsOf(read(...Array.from({ length: 3_000 }, (_, index) => `${index}.ts`)));
  expect(endless).toHaveLength(2_000);
  expect(endless.at(-1)?.sequence).toBe(2_999);
});

test("the lists of stations name an address", () => {
  expect(isHls("#EXTM3U\n#EXTINF:-1,Radio\nhttp://a.example/live\n")).toBe(false);
  expect(stationAddress("#EXTM3U\n#EXTINF:-1,Radio\nhttp://a.example/live\n", BASE).href).toBe("http://a.example/live");
  expect(stationAddress("[playlist]\nNumberOfEntries=1\nFile1=http://b.example:8000/\n", BASE).href).toBe(
    "http://b.example:8000/",
  );
  expect(() => stationAddress("nothing", BASE)).toThrow(/no address/);
});

// Recordings over HTTP whose connection breaks off.
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import { EndlessReading } from "./endless-reading.ts";

const URL_OF_FILE = new URL("http://radio.example/file.mp3");
const FILE = Buffer.from(Array.from({ length: 100 }, (_, at) => at));

/** Reads a file of a server that breaks off connections. */
function world({ hasRanges = true, hasAudio = false } = {}) {
  const decoded: Buffer[] = [];
  const reports: string[] = [];
  const counted = { streams: 0 };
  const fetching = {
    signal: new AbortController().signal,
    pieces: async function* ({ bytes, isBroken }: { bytes: Buffer; isBroken: boolean }) {
      for (let at = 0; at < bytes.length; at += 10) yield bytes.subarray(at, at + 10);
      if (isBroken) throw errors.liveSourceFailed("its server broke off");
    },
  };
  const audio = {
    hasAudio,
    beginStream: async () => void counted.streams++,
    report: (reason: string) => void reports.push(reason),
  };
  const decoder = { finish: async () => undefined, push: async (bytes: Buffer) => void decoded.push(bytes) };
  const reading = new EndlessReading(fetching as never, audio as never, decoder as never, () => new Date());
  /** @param most  bytes after which the connection breaks off @returns the reason of a failure */
  const connect = async (most: number, file = FILE) => {
    const range = reading.rest(URL_OF_FILE);
    const from = hasRanges && range ? range.from : 0;
    const rest = file.subarray(from);
    const answer = {
      ...{ from, bytes: rest.subarray(0, most), isBroken: most < rest.length, contentType: "audio/mpeg" },
      ...{ contentLength: rest.length, metadataEvery: undefined, url: URL_OF_FILE, close: () => undefined },
    };
    const failed = (error: Error) => error.message;
    return reading.read(answer as never, URL_OF_FILE).then(() => undefined, failed);
  };
  return { connect, reports, counted, heard: () => [...Buffer.concat(decoded)] };
}

test("a recording continues where its connection broke off", async () => {
  const { connect, heard, counted, reports } = world();
  expect(await connect(30)).toMatch(/broke off/);
  expect(await connect(50)).toMatch(/broke off/);
  expect(await connect(100)).toBeUndefined();
  expect(heard()).toEqual([...FILE]);
  expect(counted.streams).toBe(1);
  expect(reports).toEqual([]);
});

test("a recording that has changed since does not continue, nor does one without ranges", async () => {
  const changed = world();
  await changed.connect(30);
  expect(await changed.connect(100, FILE.subarray(0, 90))).toMatch(/changed/);
  const whole = world({ hasRanges: false });
  await whole.connect(30);
  expect(await whole.connect(100)).toBeUndefined();
  expect(whole.heard()).toEqual([...FILE.subarray(0, 30), ...FILE]);
});

test("a recording that begins again after a restart is reported", async () => {
  const { connect, reports } = world({ hasAudio: true });
  await connect(100);
  expect(reports.join()).toMatch(/from its beginning again/);
});

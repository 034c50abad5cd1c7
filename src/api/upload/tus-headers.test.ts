import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ParlanceError } from "../../platform/errors.ts";
import {
  announcedLength,
  bytesHeader,
  checksumOf,
  checkTusVersion,
  metadataOf,
  refuseUnsupported,
} from "./tus-headers.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const metadata = (text: string) => metadataOf({ "upload-metadata": text });

describe("Upload-Metadata", () => {
  test.each([
    ["the file name", `filename ${base64("räume.mp3")},filetype ${base64("audio/mpeg")}`, "räume.mp3"],
    ["a name as Uppy sends it", `name ${base64("talk.wav")},relativePath bnVsbA==`, "talk.wav"],
    ["keys without a value, with and without the space", `filename ${base64("a.mp3")},filetype ,private`, "a.mp3"],
    ["an empty file name", "filename ", "audio"],
    ["a path as the name", `filename ${base64("../../etc/passwd")}`, "....etcpasswd"],
    ["a name with NUL and a line break", `filename ${base64("a\0b\r\nX-Header: c.mp3")}`, "abX-Header: c.mp3"],
    ["bytes that are no UTF-8", `filename ${Buffer.from([0xff, 0x61]).toString("base64")}`, "\uFFFDa"],
    ["nothing", "", "audio"],
  ])("%s", (_, text, filename) => expect(metadata(text)).toEqual({ text: text.trim(), filename }));

  test.each([
    ["base64 that is broken", "filename YQ=", /value of "filename" that is not base64/],
    ["a value that is not encoded", "filename talk.mp3", /not base64/],
    ["two values", "filename YQ== YQ==", /not base64/],
    ["a key twice", "filename YQ==,filename YQ==", /"filename" more than once/],
    ["an empty pair", "filename YQ==,", /the key ""/],
    ["a key that is not ASCII", "ñ YQ==", /keys are ASCII/],
    ["a huge value", `filename ${"YWJj".repeat(2_000)}`, /must not be longer than 4096 characters/],
  ])("refuses %s", (_, text, reason) => expect(() => metadata(text)).toThrow(reason));
});

test.each(["-1", "+1", "1.5", "1e3", "0x10", " 1", "", "9".repeat(16), "NaN", "1,1"])(
  "Upload-Length %j is refused",
  (text) => {
    expect(() => bytesHeader({ "upload-length": text }, "Upload-Length")).toThrow(
      /Upload-Length must be a whole number/,
    );
  },
);

test("numbers of bytes are read, and a missing one is named", () => {
  expect(bytesHeader({ "upload-offset": "0" }, "Upload-Offset")).toBe(0);
  expect(bytesHeader({ "upload-length": "999999999999999" }, "Upload-Length")).toBe(999_999_999_999_999);
  expect(() => bytesHeader({}, "Upload-Offset")).toThrow(/Upload-Offset is required/);
});

test("the length of an upload is announced, or deferred to a later request", () => {
  const length = (headers: Record<string, string>) => announcedLength(headers, 1_000);
  expect(length({ "upload-length": "1000" })).toEqual({ length: 1_000, isLengthDeferred: false });
  expect(length({ "upload-defer-length": "1" })).toEqual({ length: 1_000, isLengthDeferred: true });
  expect(() => length({})).toThrow(/Upload-Length is required/);
  expect(() => length({ "upload-length": "1001" })).toThrow(/larger than/);
  expect(() => length({ "upload-defer-length": "0" })).toThrow(/Upload-Defer-Length must be 1/);
  expect(() => length({ "upload-defer-length": "1", "upload-length": "5" })).toThrow(/must not stand beside/);
});

test("another version and a concatenation are refused", () => {
  expect(() => checkTusVersion({})).toThrow(/Tus-Resumable: 1.0.0. It is missing/);
  expect(() => checkTusVersion({ "tus-resumable": "0.2.2" })).toThrow(/instead of 0.2.2/);
  expect(() => checkTusVersion({ "tus-resumable": "1.0.0" })).not.toThrow();
  expect(() => refuseUnsupported({ "upload-concat": "partial" })).toThrow(/Upload-Concat is not supported/);
});

test("checksums have a supported algorithm and its length", () => {
  const digest = createHash("sha256").update("a").digest();
  const checksum = (text: string) => checksumOf({ "upload-checksum": text });
  expect(checksum(`sha256 ${digest.toString("base64")}`)).toEqual({ algorithm: "sha256", digest });
  expect(checksumOf({})).toBeUndefined();
  for (const text of ["md5 YQ==", "sha1 YQ==", "sha1", "", `sha256 ${digest.toString("hex")}`, "toString YQ=="])
    expect(() => checksum(text), text).toThrow(/must be one of sha1,sha256/);
});

test("any header is read or refused with an error of the catalogue", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const read of [
        () => metadata(text),
        () => checksumOf({ "upload-checksum": text }),
        () => bytesHeader({ "upload-length": text }, "Upload-Length"),
        () => checkTusVersion({ "tus-resumable": text }),
      ]) {
        try {
          read();
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ParlanceError);
          expect([400, 412]).toContain((thrown as ParlanceError).status);
        }
      }
    }),
  );
});

// The description of the tracks of a stream (SDP, RFC 8866), as cameras and servers write it. Lines that are not needed may be missing or
// wrong.
import { listed } from "../../../../contract/first-of.ts";
import { errors } from "../../../../platform/errors.ts";
import { shownText } from "../packets/source-error.ts";

const MOST_LINES = 2_000;
const MOST_TRACKS = 64;
const MOST_FORMATS = 64;
const MOST_CHANNELS = 8;
const MOST_NAMES = 5;

/** Formats with numbers that are not described (RFC 3551, 6). */
const STANDARD: Readonly<Record<number, string>> = {
  0: "PCMU/8000",
  3: "GSM/8000",
  4: "G723/8000",
  8: "PCMA/8000",
  9: "G722/8000",
  10: "L16/44100/2",
  11: "L16/44100",
  14: "MPA/90000",
  18: "G729/8000",
};

export interface RtpFormat {
  payloadType: number;
  /** In upper case. */
  encoding: string;
  rate: number;
  channels: number;
  /** By name in lower case. */
  parameters: ReadonlyMap<string, string>;
}

export interface Track {
  media: string;
  control: string | undefined;
  formats: RtpFormat[];
  /** The description is about sound that the client would send. */
  isSending: boolean;
  /** Length of a recording; undefined if it is not stated for this track, or for a stream without an end. */
  seconds: number | undefined;
}

export interface Description {
  control: string | undefined;
  /** Length of a recording; undefined if it is not stated for all tracks together, or for a stream without an end. */
  seconds: number | undefined;
  tracks: Track[];
}

interface Section {
  media: string;
  numbers: number[];
  attributes: [name: string, value: string][];
}

function parametersOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(";", MOST_FORMATS)) {
    const at = part.indexOf("=");
    if (at > 0) found.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return found;
}

function formatsOf({ numbers, attributes }: Section): RtpFormat[] {
  const own = (name: string, number: number) =>
    attributes.find(([one, value]) => one === name && Number.parseInt(value, 10) === number)?.[1];
  const [described, ...others] = attributes.filter(([name]) => name === "fmtp");
  return numbers.flatMap((payloadType) => {
    const map = own("rtpmap", payloadType)?.replace(/^\d+\s+/, "") ?? STANDARD[payloadType];
    if (map === undefined) return [];
    const [encoding = "", rate = "", channels = "1"] = map.trim().split("/", 3);
    // Cameras with one format describe it with another number.
    const text = own("fmtp", payloadType) ?? (numbers.length === 1 && others.length === 0 ? described?.[1] : undefined);
    return {
      payloadType,
      encoding: encoding.toUpperCase(),
      rate: Number.parseInt(rate, 10) || 0,
      channels: Math.min(Math.max(Number.parseInt(channels, 10) || 1, 1), MOST_CHANNELS),
      parameters: parametersOf((text ?? "").replace(/^\d+\s+/, "")),
    };
  });
}

/** Seconds of a range. Cameras write `npt=0-0` for a stream without an end. */
function lengthOf(range = ""): number | undefined {
  const [, from = "0", end = "0"] =
    /^npt\s{0,4}=\s{0,4}(\d{1,9}(?:\.\d{1,9})?)-(\d{1,9}(?:\.\d{1,9})?)/.exec(range) ?? [];
  const seconds = Number(end) - Number(from);
  return seconds > 0 ? seconds : undefined;
}

/** @throws live.source_refused: it has too many lines */
export function parseDescription(text: string): Description {
  const lines = text.split(/\r\n|\n|\r/, MOST_LINES + 1);
  if (lines.length > MOST_LINES)
    throw errors.liveSourceRefused(`the description of its tracks has more than ${MOST_LINES} lines`);
  const session: Section = { media: "", numbers: [], attributes: [] };
  const sections: Section[] = [];
  let current = session;
  for (const line of lines) {
    if (line.startsWith("m=")) {
      if (sections.length === MOST_TRACKS)
        throw errors.liveSourceRefused(`the description of its tracks has more than ${MOST_TRACKS}`);
      const [media = "", , , ...numbers] = line
        .slice(2)
        .trim()
        .split(/\s+/, 3 + MOST_FORMATS);
      current = { media, numbers: numbers.map(Number).filter((one) => one >= 0 && one < 128), attributes: [] };
      sections.push(current);
    } else if (line.startsWith("a=")) {
      const colon = line.indexOf(":");
      const [name, value] = colon < 0 ? [line.slice(2), ""] : [line.slice(2, colon), line.slice(colon + 1)];
      current.attributes.push([name.trim().toLowerCase(), value.trim()]);
    }
  }
  const first = ({ attributes }: Section, name: string) => attributes.find(([one]) => one === name)?.[1];
  return {
    control: first(session, "control"),
    seconds: lengthOf(first(session, "range")),
    tracks: sections.map((section) => ({
      media: section.media,
      control: first(section, "control"),
      formats: formatsOf(section),
      isSending: first(section, "sendonly") !== undefined,
      seconds: lengthOf(first(section, "range")),
    })),
  };
}

/** Encodings of some tracks, for a message. */
export const encodingsOf = (tracks: readonly Track[]): string =>
  listed([...new Set(tracks.flatMap(({ formats }) => formats.map(({ encoding }) => shownText(encoding))))], MOST_NAMES);

/**
 * The address of a track, or of the whole stream.
 * @param base  of the description @param control  of its attribute
 * @throws live.source_refused
 */
export function controlUrl(base: string, control: string | undefined): string {
  if (control === undefined || control === "" || control === "*") return base;
  const url = /^rtsps?:\/\//i.test(control)
    ? control
    : // Servers expect this, also where the base has a query: they append a slash to it.
      `${base.replace(/\/$/, "")}${/^[/?]/.test(control) ? "" : "/"}${control}`;
  if (!/^[\x21-\x7e]{1,4096}$/.test(url)) throw errors.liveSourceRefused("the address of its track cannot be read");
  return url;
}

/** The address to which those of tracks are relative. @param given  Content-Base of the answer, which cameras send without scheme, or empty */
export const baseUrl = (given: string | undefined, requested: string): string =>
  given !== undefined && /^rtsps?:\/\/[\x21-\x7e]{1,4096}$/i.test(given) ? given : requested;

// Playlists of HLS (RFC 8216) and of stations (M3U, PLS). A foreign server writes them: numbers in them are bounded.
import { parseUrl } from "../../../platform/addresses/web-url.ts";
import { errors } from "../../../platform/errors.ts";
import type { ByteRange } from "../../../platform/net/safe-fetch.ts";
import { beginningOf } from "../../../platform/storable.ts";
import type { Place } from "./fetching.ts";

/** Longest part, seconds. */
const MOST_SECONDS = 120;
const DEFAULT_TARGET_SECONDS = 6;
/** Parts at the end of a playlist that are read; earlier ones are ignored. */
const MOST_PARTS = 2_000;
/** A longer playlist is refused, as the thread of the service parses it. A day of parts of two seconds has 86,400 lines. */
const MOST_LINES = 100_000;
const MOST_LINE_LENGTH = 8_192;
/** Renditions of audio that are considered. */
const MOST_RENDITIONS = 1_000;
const MOST_SEQUENCE = 2 ** 48;
const MOST_BYTES_OF_IV = 16;

export interface PlaylistKey {
  url: URL;
  /** Initialisation vector; undefined for the number of the part. */
  iv: Buffer | undefined;
}

export interface PlaylistMap extends Place {
  /** The key that precedes it (RFC 8216, 4.3.2.4). */
  key: PlaylistKey | undefined;
}

export interface PlaylistPart {
  sequence: number;
  seconds: number;
  url: URL;
  /** The format or the clock may change before it. */
  isDiscontinuity: boolean;
  /** The server has no audio for it. */
  isGap: boolean;
  key: PlaylistKey | undefined;
  /** The part of the file that has it; undefined for all of it. */
  range: ByteRange | undefined;
  /** Beginning of the file that describes its tracks. */
  map: PlaylistMap | undefined;
  /** When it was on air. */
  onAirAt: Date | undefined;
}

export interface MediaPlaylist {
  kind: "parts";
  targetSeconds: number;
  isEnded: boolean;
  /** Whether it lists partial segments of low latency, which are not read. */
  hasPartials: boolean;
  parts: PlaylistPart[];
}

/** A variant: the address of the audio, or of the smallest variant. */
export type Playlist = { kind: "variant"; url: URL } | MediaPlaylist;

/** Keys that are the bytes at an address (RFC 8216, 4.3.2.4); others are those of a protection against copies. */
const PLAIN_KEYS = "identity";
const SHOWN_CHARACTERS = 60;

const refused = (reason: string) => errors.liveSourceRefused(`its playlist cannot be read: ${reason}`);

/** Equal for maps with the same bytes. */
export const mapName = ({ url, range, key }: PlaylistMap): string =>
  [url.href, range?.from, range?.length, key?.iv && key.url.href, key?.iv?.toString("hex")].join(" ");

/** `NAME=value` and `NAME="value"` of a tag. */
function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(/[,:] {0,8}([A-Z0-9-]{1,64})=(?:"([^"]*)"|([^",]*))/g))
    found.set(name, quoted ?? plain);
  return found;
}

function addressOf(text: string, base: URL): URL {
  const url = parseUrl(text.trim(), base);
  if (!url) throw refused("an address in it is invalid");
  return url;
}

const within = (value: number, least: number, most: number, otherwise: number) =>
  Number.isFinite(value) ? Math.min(Math.max(value, least), most) : otherwise;

interface Rendition {
  group: string;
  /** Undefined if its audio is in the variants themselves (RFC 8216, 4.3.4.2.1). */
  address: string | undefined;
  isDefault: boolean;
}

/** @returns the audio playlist of the variant with the lowest bandwidth; the variant itself if it has none */
function variantOf(lines: readonly string[], base: URL): URL {
  const renditions: Rendition[] = [];
  let best: { bandwidth: number; address: string; audio: string | undefined } | undefined;
  /** The tag whose address follows. */
  let tag: string | undefined;
  for (const line of lines) {
    if (line.startsWith("#EXT-X-MEDIA:") && renditions.length < MOST_RENDITIONS) {
      const attributes = attributesOf(line);
      if (attributes.get("TYPE") !== "AUDIO") continue;
      const isDefault = attributes.get("DEFAULT") === "YES";
      renditions.push({ group: attributes.get("GROUP-ID") ?? "", address: attributes.get("URI"), isDefault });
    }
    if (line.startsWith("#EXT-X-STREAM-INF:")) tag = line;
    if (tag === undefined || !isAddress(line)) continue;
    const attributes = attributesOf(tag);
    tag = undefined;
    const bandwidth = within(Number(attributes.get("BANDWIDTH")), 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    if (!best || bandwidth < best.bandwidth) best = { bandwidth, address: line, audio: attributes.get("AUDIO") };
  }
  if (!best) throw refused("it lists no variant");
  const own = renditions.filter(({ group }) => group === best?.audio);
  return addressOf((own.find(({ isDefault }) => isDefault) ?? own[0])?.address ?? best.address, base);
}

function keyOf(line: string, base: URL): PlaylistKey | undefined {
  const attributes = attributesOf(line);
  const method = attributes.get("METHOD");
  if (method === "NONE") return undefined;
  const uri = attributes.get("URI");
  if (method !== "AES-128" || uri === undefined)
    throw refused(`its parts are encrypted by ${String(method).slice(0, 20)}; AES-128 and none are possible`);
  const format = attributes.get("KEYFORMAT") ?? PLAIN_KEYS;
  if (format !== PLAIN_KEYS)
    throw refused(
      `its parts are protected by ${beginningOf(format, SHOWN_CHARACTERS)}; only AES-128 with a key at an address is possible`,
    );
  const iv = attributes.get("IV")?.replace(/^0x/i, "");
  if (iv !== undefined && !/^[0-9a-f]{1,32}$/i.test(iv)) throw refused("the initialisation vector of a key is invalid");
  return {
    url: addressOf(uri, base),
    iv: iv === undefined ? undefined : Buffer.from(iv.padStart(2 * MOST_BYTES_OF_IV, "0"), "hex"),
  };
}

const dateOf = (text: string): Date | undefined => {
  const time = Date.parse(text);
  return Number.isFinite(time) ? new Date(time) : undefined;
};

interface NextPart {
  seconds: number | undefined;
  isDiscontinuity: boolean;
  isGap: boolean;
  onAirAt: Date | undefined;
  /** Whether a tag of the part states the time. Otherwise it follows from the time of an earlier part. */
  isTimeStated: boolean;
}

/** A part as its lines have it. */
interface ListedPart extends Omit<NextPart, "isTimeStated"> {
  sequence: number;
  seconds: number;
  address: string;
  range: ByteRange | undefined;
  /** Lines of the tags that apply to it. */
  keyLine: string | undefined;
  mapLine: string | undefined;
  /** The key that precedes its map. */
  mapKeyLine: string | undefined;
}

/**
 * A range as `length@from`, or `length` after the previous one of the same file.
 * @param next  where the previous one ended
 */
function rangeOf(text: string, next: number | undefined): ByteRange {
  const [, length, from = next] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(text.trim()) ?? [];
  const range = { from: Number(from), length: Number(length) };
  if (length === undefined || from === undefined || range.length === 0)
    throw refused("the range of a part of a file is invalid");
  return range;
}

function mapOf(line: string, base: URL): Place {
  const attributes = attributesOf(line);
  const range = attributes.get("BYTERANGE");
  return {
    url: addressOf(attributes.get("URI") ?? "", base),
    range: range === undefined ? undefined : rangeOf(range, 0),
  };
}

/** Addresses and keys of the parts that are read. Equal lines give the same object. */
function resolved(parts: readonly ListedPart[], base: URL): PlaylistPart[] {
  const once = <Value>(read: (line: string, base: URL) => Value) => {
    const known = new Map<string, Value>();
    return (line: string | undefined): Value | undefined => {
      if (line === undefined) return undefined;
      if (!known.has(line)) known.set(line, read(line, base));
      return known.get(line);
    };
  };
  const [key, map] = [once(keyOf), once(mapOf)];
  return parts.map(({ address, keyLine, mapLine, mapKeyLine, ...part }) => {
    const place = map(mapLine);
    return {
      ...part,
      url: addressOf(address, base),
      key: key(keyLine),
      map: place && { ...place, key: key(mapKeyLine) },
    };
  });
}

const fresh = (onAirAt?: Date): NextPart => ({
  ...{ seconds: undefined, isDiscontinuity: false, isGap: false },
  ...{ onAirAt, isTimeStated: false },
});
const isAddress = (line: string): boolean => line !== "" && line[0] !== "#";

function partsOf(lines: readonly string[], base: URL): Playlist {
  let targetSeconds = DEFAULT_TARGET_SECONDS;
  let sequence = 0;
  let isEnded = false;
  let keyLine: string | undefined;
  let mapLine: string | undefined;
  let mapKeyLine: string | undefined;
  let rangeText: string | undefined;
  let lastRange: { address: string; end: number } | undefined;
  let next = fresh();
  const parts: ListedPart[] = [];
  let ignored = lines.filter(isAddress).length - MOST_PARTS;
  for (const line of lines) {
    if (isAddress(line)) {
      const { seconds = targetSeconds, isDiscontinuity, isGap, onAirAt } = next;
      const previousEnd = lastRange?.address === line ? lastRange.end : undefined;
      const range = rangeText === undefined ? undefined : rangeOf(rangeText, previousEnd);
      lastRange = range && { address: line, end: range.from + range.length };
      rangeText = undefined;
      if (ignored-- <= 0)
        parts.push({
          ...{ sequence, seconds, address: line, range, keyLine, mapLine, mapKeyLine },
          ...{ isDiscontinuity, isGap, onAirAt },
        });
      sequence++;
      // Playlists may state the time of the first part alone.
      next = fresh(onAirAt && new Date(onAirAt.getTime() + 1000 * seconds));
      continue;
    }
    const value = line.slice(line.indexOf(":") + 1);
    if (line.startsWith("#EXTINF:")) next.seconds = within(Number.parseFloat(value), 0, MOST_SECONDS, targetSeconds);
    else if (line.startsWith("#EXT-X-TARGETDURATION:"))
      targetSeconds = within(Number.parseFloat(value), 1, MOST_SECONDS, DEFAULT_TARGET_SECONDS);
    else if (line.startsWith("#EXT-X-MEDIA-SEQUENCE:")) {
      sequence = Math.floor(within(Number.parseInt(value, 10), 0, MOST_SEQUENCE, 0));
    } else if (line === "#EXT-X-ENDLIST") isEnded = true;
    else if (line === "#EXT-X-DISCONTINUITY") {
      // The tags of a part have no order: a time that was stated before this one is that of the part.
      next = { ...next, isDiscontinuity: true, onAirAt: next.isTimeStated ? next.onAirAt : undefined };
    } else if (line === "#EXT-X-GAP") next.isGap = true;
    else if (line.startsWith("#EXT-X-PROGRAM-DATE-TIME:"))
      next = { ...next, onAirAt: dateOf(value), isTimeStated: true };
    else if (line.startsWith("#EXT-X-KEY:")) keyLine = line;
    else if (line.startsWith("#EXT-X-BYTERANGE:")) rangeText = value;
    else if (line.startsWith("#EXT-X-MAP:")) [mapLine, mapKeyLine] = [line, keyLine];
  }
  const hasPartials = lines.some((line) => line.startsWith("#EXT-X-PART:"));
  return { kind: "parts", targetSeconds, isEnded, hasPartials, parts: resolved(parts, base) };
}

/** @param base  address of the playlist @throws live.source_refused */
export function parsePlaylist(text: string, base: URL): Playlist {
  const lines = text.split(/\r\n|\n|\r/, MOST_LINES + 1).map((line) => line.trim());
  if (lines.length > MOST_LINES) throw refused(`it has more than ${MOST_LINES} lines`);
  if (lines.some(({ length }) => length > MOST_LINE_LENGTH))
    throw refused(`a line of it has more than ${MOST_LINE_LENGTH} characters`);
  if (lines.some((line) => line.startsWith("#EXT-X-STREAM-INF:")))
    return { kind: "variant", url: variantOf(lines, base) };
  return partsOf(lines, base);
}

/** Whether a list is a playlist of HLS; otherwise it is that of a station. */
export const isHls = (text: string): boolean => /^#EXT-X-/m.test(text);

/** @returns the first address of a station's M3U or PLS @throws live.source_refused */
export function stationAddress(text: string, base: URL): URL {
  for (const line of text.split(/[\r\n]+/).map((one) => one.trim())) {
    const file = /^File\d{1,3}\s*=\s*(\S.*)$/i.exec(line)?.[1];
    if (file !== undefined) return addressOf(file, base);
    if (/^https?:\/\//i.test(line)) return addressOf(line, base);
  }
  throw refused("it lists no address");
}

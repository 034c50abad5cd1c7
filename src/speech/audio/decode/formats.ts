// Supported file formats and how to open them: by content, or by extension for files without a header. No format may
// open an address: containers that reference other files (playlists, concatenations) are excluded, and only the file
// protocol is allowed. docs/features.md lists the formats.
import { closeSync, openSync, statSync } from "node:fs";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import type { OpenFile } from "./audio-file.ts";
import { isLikeEncrypted } from "./container/encryption.ts";
import { openPatched } from "./container/patched-file.ts";
import { beginningOfFile, documentOf, isTextFile } from "./documents.ts";

const { Demuxer, InputFormat } = await import("node-av");

/** Demuxers that read one self-contained file. hls, dash, concat, image2 and the like open further files. */
const FORMATS = [
  "aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dts,eac3,flac,flv,g722,gsm,loas,matroska,webm,mov,mp4,m4a",
  "3gp,3g2,mj2,mp2,mp3,mpeg,mpegts,mpegvideo,mxf,nut,ogg,oma,rm,sox,spdif,truehd,tta,voc,w64,wav,wtv,wv,xwma",
  "avr,dsf,dss,dv,gxf,ircam,iff,mpc,mpc8,nistsphere,nsv,paf,pvf,qcp,qoa,sds,tak,vqf,wve",
  "alaw,g723_1,mulaw,s16le,sln",
].join(",");

/** A file without a header: FFmpeg's demuxer, its options, and an extension that FFmpeg associates with it. */
interface Headerless {
  format: string;
  extension: string;
  options?: Record<string, string>;
}

/** Asterisk's signed linear audio has its rate in the extension; sln alone is 8 kHz. */
const SLIN_RATES: Readonly<Record<string, number>> = {
  sln: 8_000,
  slin: 8_000,
  sln12: 12_000,
  sln16: 16_000,
  sln24: 24_000,
  sln32: 32_000,
  sln44: 44_100,
  sln48: 48_000,
  sln96: 96_000,
  sln192: 192_000,
};

/** 8 kHz mono, as telephone systems write it. */
const telephone = (format: string, extension: string, options?: Record<string, string>): Headerless => ({
  format,
  extension,
  ...(options ? { options } : {}),
});
const RATE_8_KHZ = { sample_rate: "8000" };

const HEADERLESS: Readonly<Record<string, Headerless>> = {
  ...Object.fromEntries(
    Object.entries(SLIN_RATES).map(([extension, rate]): [string, Headerless] => [
      extension,
      { format: "sln", extension: "sln", options: { sample_rate: String(rate) } },
    ]),
  ),
  g722: { format: "g722", extension: "g722" },
  "722": { format: "g722", extension: "g722" },
  g723: telephone("g723_1", "tco"),
  g723_1: telephone("g723_1", "tco"),
  tco: telephone("g723_1", "tco"),
  rco: telephone("g723_1", "tco"),
  gsm: telephone("gsm", "gsm"),
  ul: telephone("mulaw", "ul", RATE_8_KHZ),
  ulaw: telephone("mulaw", "ul", RATE_8_KHZ),
  mulaw: telephone("mulaw", "ul", RATE_8_KHZ),
  pcmu: telephone("mulaw", "ul", RATE_8_KHZ),
  al: telephone("alaw", "al", RATE_8_KHZ),
  alaw: telephone("alaw", "al", RATE_8_KHZ),
  pcma: telephone("alaw", "al", RATE_8_KHZ),
};

/** Usual extensions of FFmpeg's container names, if they differ. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  matroska: "mkv",
  mov: "mp4",
  mpegts: "ts",
  aiff: "aif",
  asf: "wma",
  nistsphere: "sph",
  ircam: "sf",
  iff: "8svx",
  mulaw: "ul",
  alaw: "al",
};

/** @param formatName  FFmpeg's, such as mov,mp4,m4a @returns the usual extension, without a dot */
export function usualExtension(formatName: string | undefined): string {
  const name = (formatName ?? "").split(",")[0] ?? "";
  return EXTENSIONS[name] ?? name;
}

/** FFmpeg's own probe reads at least this much. */
const PROBED_BYTES = 65_536;

/** The extension determines the format of a file without a header, unless its content clearly has another format. */
function headerless(path: string, extension: string | undefined): Headerless | undefined {
  const named = extension === undefined ? undefined : HEADERLESS[extension];
  if (!named) return undefined;
  const found = InputFormat.probe(beginningOfFile(path, PROBED_BYTES), `recording.${named.extension}`);
  return found === null || found.name === named.format ? named : undefined;
}

/** @param extension  of the file's name, in lower case */
export function fileOpener(extension?: string): OpenFile {
  return async (path, part, options = {}) => {
    if (statSync(path).size === 0) throw errors.emptyFile();
    try {
      if (part?.patches) return openPatched(path, part);
      if (part) {
        // FFmpeg's subfile protocol presents the part as a separate file.
        const address = `subfile,,start,${part.startBytes},end,${part.endBytes},,:${path}`;
        return await Demuxer.open(address, { format: part.format, options: { protocol_whitelist: "file,subfile" } });
      }
      const document = documentOf(beginningOfFile(path));
      if (document !== undefined) throw errors.notDecodable(`it is ${document}, not a recording`);
      const allowed = { protocol_whitelist: "file", format_whitelist: FORMATS };
      const named = headerless(path, extension);
      if (named) return await Demuxer.open(path, { format: named.format, options: { ...allowed, ...named.options } });
      return await Demuxer.open(path, { options: { ...allowed, ...options } });
    } catch (thrown) {
      if (thrown instanceof ParlanceError) throw thrown;
      // Rethrows if this process cannot open the file, which says nothing about the recording.
      closeSync(openSync(path, "r"));
      if (shortageOf(thrown)) throw thrown;
      // FFmpeg's own message contains the path of the stored copy.
      if (isTextFile(beginningOfFile(path))) throw errors.notDecodable("it is a text file, not a recording");
      throw isLikeEncrypted(path)
        ? errors.notDecodable(
            "its format is not known; its bytes look encrypted, as those of a protected segment of HLS",
          )
        : errors.notDecodable("its format is not known, or it is damaged or cut off");
    }
  };
}

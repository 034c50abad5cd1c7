// Captions as SubRip and WebVTT text.
import type { Caption } from "./layout.ts";

function clock(seconds: number, separator: string): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (value: number, width: number) => String(value).padStart(width, "0");
  return (
    `${part(Math.floor(milliseconds / 3_600_000), 2)}:${part(Math.floor(milliseconds / 60_000) % 60, 2)}:` +
    `${part(Math.floor(milliseconds / 1000) % 60, 2)}${separator}${part(milliseconds % 1000, 3)}`
  );
}

/** https://www.loc.gov/preservation/digital/formats/fdd/fdd000569.shtml */
export function writeSrt(captions: Caption[]): string {
  return captions
    .map((caption, index) => {
      const times = `${clock(caption.start, ",")} --> ${clock(caption.end, ",")}`;
      return `${index + 1}\n${times}\n${caption.rows.join("\n")}\n`;
    })
    .join("\n");
}

const escapeVtt = (row: string) => row.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** https://www.w3.org/TR/webvtt1/ */
export function writeVtt(captions: Caption[]): string {
  const cues = captions.map((caption) => {
    const times = `${clock(caption.start, ".")} --> ${clock(caption.end, ".")}`;
    const voice = caption.speaker === undefined ? "" : `<v Speaker ${caption.speaker}>`;
    return `${times}\n${voice}${caption.rows.map(escapeVtt).join("\n")}\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

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

/**
 * https://www.loc.gov/preservation/digital/formats/fdd/fdd000569.shtml
 * @param names  of speakers, by their number
 */
export function writeSrt(captions: Caption[], names: Record<string, string> = {}): string {
  return captions
    .map((caption, index) => {
      const times = `${clock(caption.start, ",")} --> ${clock(caption.end, ",")}`;
      // The format has no speakers: those who have a name are told in the text.
      const name = caption.speaker === undefined ? undefined : names[caption.speaker];
      const isNew = name !== undefined && captions[index - 1]?.speaker !== caption.speaker;
      return `${index + 1}\n${times}\n${isNew ? `${name}: ` : ""}${caption.rows.join("\n")}\n`;
    })
    .join("\n");
}

const escapeVtt = (row: string) => row.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** https://www.w3.org/TR/webvtt1/ @param names  of speakers, by their number */
export function writeVtt(captions: Caption[], names: Record<string, string> = {}): string {
  const cues = captions.map((caption) => {
    const times = `${clock(caption.start, ".")} --> ${clock(caption.end, ".")}`;
    const { speaker } = caption;
    const voice = speaker === undefined ? "" : `<v ${escapeVtt(names[speaker] ?? `Speaker ${speaker}`)}>`;
    return `${times}\n${voice}${caption.rows.map(escapeVtt).join("\n")}\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

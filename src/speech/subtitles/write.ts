// Captions as SubRip and WebVTT text.
import { type Caption, speakerLabel } from "./layout.ts";

/** `00:00:00.000` @param separator  of milliseconds: "." in WebVTT, "," in SubRip */
export function clock(seconds: number, separator: "." | ","): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (value: number, width: number) => String(value).padStart(width, "0");
  return (
    `${part(Math.floor(milliseconds / 3_600_000), 2)}:${part(Math.floor(milliseconds / 60_000) % 60, 2)}:` +
    `${part(Math.floor(milliseconds / 1000) % 60, 2)}${separator}${part(milliseconds % 1000, 3)}`
  );
}

/** https://www.loc.gov/preservation/digital/formats/fdd/fdd000569.shtml @param captions  with labels in their text */
export function writeSrt(captions: readonly Caption[]): string {
  return captions
    .map(
      ({ start, end, rows }, index) =>
        `${index + 1}\n${clock(start, ",")} --> ${clock(end, ",")}\n${rows.join("\n")}\n`,
    )
    .join("\n");
}

const escapeVtt = (row: string) => row.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * https://www.w3.org/TR/webvtt1/
 * @param captions  with labels beside their text, for WebVTT voices
 * @param names     of speakers, by number
 */
export function writeVtt(captions: readonly Caption[], names: Readonly<Record<string, string>> = {}): string {
  const hasSpeakers = captions.some(({ speaker }) => speaker !== undefined);
  const cues = captions.map(({ start, end, rows, speaker }) => {
    const times = `${clock(start, ".")} --> ${clock(end, ".")}`;
    const voice = hasSpeakers ? `<v ${escapeVtt(speakerLabel(speaker, names))}>` : "";
    return `${times}\n${voice}${rows.map(escapeVtt).join("\n")}\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

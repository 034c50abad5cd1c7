import { readdir } from "node:fs/promises";
import path from "node:path";

const EXTENSIONS =
  "3gp 8svx aac ac3 aif aiff amr ape au avi caf dss dv eac3 flac flv g722 gsm ircam m4a m4b m4v mka mkv mov mp2 mp3 mp4 mpeg mpg mxf oga ogg ogv opus ra rm sf sln sln16 sph spx tta ts voc w64 wav weba webm wma wmv wv".split(
    " ",
  );

/** Recordings in a folder and those below it. */
export async function recordingsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const item of await readdir(folder, { withFileTypes: true })) {
    // Other programs make hidden files: thumbnails, and "._talk.mp3" on macOS.
    if (item.name.startsWith(".")) continue;
    const file = path.join(folder, item.name);
    if (item.isDirectory()) found.push(...(await recordingsIn(file)));
    else if (EXTENSIONS.includes(path.extname(item.name).slice(1).toLowerCase())) found.push(file);
  }
  return found.sort();
}

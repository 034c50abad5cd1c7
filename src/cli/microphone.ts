// The microphone of this machine, read by ffmpeg, arecord or sox, whichever is installed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { Readable } from "node:stream";
import { UsageError } from "./usage-error.ts";

export const RATE = 16_000;

interface Program {
  name: string;
  arguments(device: string | undefined): string[];
}

/** FFmpeg's input device for microphones, by platform. */
const FFMPEG_INPUT: Record<string, (device: string | undefined) => string[]> = {
  darwin: (device) => ["-f", "avfoundation", "-i", `:${device ?? "default"}`],
  win32: (device) => ["-f", "dshow", "-i", `audio=${device ?? "default"}`],
  linux: (device) => ["-f", "alsa", "-i", device ?? "default"],
};

const PROGRAMS: readonly Program[] = [
  {
    name: "ffmpeg",
    arguments: (device) => [
      ...[
        "-hide_banner",
        "-loglevel",
        "error",
        ...((FFMPEG_INPUT[process.platform] ?? FFMPEG_INPUT["linux"])?.(device) ?? []),
      ],
      ...["-ac", "1", "-ar", String(RATE), "-f", "s16le", "-"],
    ],
  },
  {
    name: "arecord",
    arguments: (device) => [
      ...["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", String(RATE)],
      ...(device ? ["-D", device] : []),
    ],
  },
  { name: "rec", arguments: () => ["-q", "-t", "raw", "-e", "signed", "-b", "16", "-c", "1", "-r", String(RATE), "-"] },
];

const isThere = ({ name }: Program) => {
  const tried = spawnSync(name, ["--version"], { stdio: "ignore" });
  return tried.error === undefined;
};

/** Programs of this machine that can read a microphone. */
export const recorders = (): string[] => PROGRAMS.filter(isThere).map(({ name }) => name);

/** @returns 16-bit samples of one channel @throws UsageError where there is nothing to record with */
export function openMicrophone(device: string | undefined): { audio: Readable; process: ChildProcess } {
  const program = PROGRAMS.find(isThere);
  if (!program) {
    throw new UsageError(
      "there is nothing to record with: install ffmpeg, alsa-utils (arecord) or sox, or send audio through a pipe",
    );
  }
  const child = spawn(program.name, program.arguments(device), { stdio: ["ignore", "pipe", "inherit"] });
  return { audio: child.stdout, process: child };
}

// The microphone of this machine, read by ffmpeg, arecord or sox, whichever is installed.
import { spawn, spawnSync } from "node:child_process";
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

export interface Microphone {
  /** 16-bit samples of one channel. */
  audio: Readable;
  /** Resolves when the recording has ended: with the reason if the program failed, such as a device that does not exist. */
  ended: Promise<string | undefined>;
  stop(): void;
}

/** @returns begins to record @throws UsageError where there is nothing to record with */
export function findMicrophone(device: string | undefined): () => Microphone {
  const program = PROGRAMS.find(isThere);
  if (!program) {
    throw new UsageError(
      "there is nothing to record with: install ffmpeg, alsa-utils (arecord) or sox, or send audio through a pipe",
    );
  }
  return () => record(program, device);
}

function record(program: Program, device: string | undefined): Microphone {
  const child = spawn(program.name, program.arguments(device), { stdio: ["ignore", "pipe", "inherit"] });
  let isStopped = false;
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    // Ctrl-C of the terminal reaches the program, too.
    child.once("close", (code) => {
      resolve(isStopped || code === 0 || code === null ? undefined : `${program.name} ended with status ${code}`);
    });
  });
  const stop = () => {
    isStopped = true;
    child.kill();
  };
  return { audio: child.stdout, ended, stop };
}

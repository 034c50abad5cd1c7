// What the comparison asks of every transcriber, and the ones that run in Python.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { packageFolder } from "../../src/platform/process/package-folder.ts";
import { moonshineForSherpa } from "../../test/fixtures/moonshine-for-sherpa.ts";

export interface TimedWord {
  word: string;
  /** Seconds. */
  start: number;
  end: number;
}

export interface Clip {
  /** WAV file, 16 kHz, one channel. */
  file: string;
  language: string;
  seconds: number;
}

export interface Transcribed {
  seconds: number;
  texts: string[];
  /** Empty where the peer has no times, or they were not requested. */
  words: TimedWord[][];
}

export interface Peer {
  transcribe(clips: readonly Clip[], wantsWords: boolean): Promise<Transcribed>;
  processId: number;
  stop(): Promise<void>;
}

/** What can be started; loading its weights is not part of any figure. */
export interface PeerMode {
  name: string;
  version: string;
  /** Without times for words. */
  hasNoTimes?: boolean;
  /** English only. */
  isEnglish?: boolean;
  start(): Promise<Peer>;
}

class PythonPeer implements Peer {
  private readonly answers: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcess) {
    if (!child.stdout) throw new Error("the peer has no output");
    this.answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(python: string, parameters: string[]): Promise<Peer> {
    const child = spawn(python, ["bench/peers/peer.py", ...parameters], { stdio: ["pipe", "pipe", "ignore"] });
    const peer = new PythonPeer(child);
    await peer.answer();
    return peer;
  }

  /** Native libraries print to the same stream; an answer is a line of JSON. */
  private async answer(): Promise<unknown> {
    for (;;) {
      const { value, done } = await this.answers.next();
      if (done) throw new Error("the peer ended");
      if (String(value).startsWith("{")) return JSON.parse(String(value));
    }
  }

  async transcribe(clips: readonly Clip[], wantsWords: boolean): Promise<Transcribed> {
    const files = clips.map(({ file, language }) => [path.resolve(file), language]);
    this.child.stdin?.write(`${JSON.stringify({ files, words: wantsWords })}\n`);
    const { seconds, texts, words } = (await this.answer()) as {
      seconds: number;
      texts: string[];
      words: [string, number, number][][];
    };
    return { seconds, texts, words: words.map((one) => one.map(([word, start, end]) => ({ word, start, end }))) };
  }

  get processId(): number {
    return this.child.pid as number;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stdin?.end();
    await ended;
  }
}

/** Versions that the comparison was made with. */
const PACKAGES = { "faster-whisper": "1.2.1", pywhispercpp: "1.5.1", "sherpa-onnx": "2.0.1" };

/** A virtual environment with one package. @returns its Python @throws where it cannot be made */
function environmentWith(folder: string, name: keyof typeof PACKAGES): string {
  const home = path.join(folder, `python-${name}-${PACKAGES[name]}`);
  const python = path.join(home, "bin", "python");
  const run = (command: string, ...parameters: string[]) =>
    execFileSync(command, parameters, { stdio: ["ignore", "ignore", "pipe"] });
  if (!existsSync(path.join(home, "ready"))) {
    run("python3", "-m", "venv", "--clear", home);
    run(python, "-m", "pip", "install", "--quiet", `${name}==${PACKAGES[name]}`, "numpy");
    run("touch", path.join(home, "ready"));
  }
  return python;
}

export interface PythonPeers {
  modes: PeerMode[];
  /** Why others are missing. */
  skipped: string[];
  /** Folder of the weights for CTranslate2, if they could be converted. */
  weights?: string;
}

/**
 * @param folder      keeps the environments and the converted weights
 * @param checkpoint  of Whisper, as a hub publishes it
 */
export function pythonPeers(folder: string, checkpoint: string): PythonPeers {
  const modes: PeerMode[] = [];
  const skipped: string[] = [];
  let converted: string | undefined;
  const prepare = (name: keyof typeof PACKAGES, script: string, output: string) => {
    const python = environmentWith(folder, name);
    const weights = path.join(folder, output);
    if (!existsSync(weights)) execFileSync(python, [script, checkpoint, weights], { stdio: "pipe" });
    return { python, weights };
  };
  type Modes = [mode: string, parameters: string[]][];
  const add = (title: string, name: keyof typeof PACKAGES, make: () => Modes, traits: Partial<PeerMode> = {}) => {
    try {
      for (const [mode, [python = "", ...parameters]] of make()) {
        const start = () => PythonPeer.start(python, parameters);
        modes.push({ name: `${title}, ${mode}`, version: `${name} ${PACKAGES[name]}`, ...traits, start });
      }
    } catch (error) {
      const [line] = (error as Error).message.split("\n");
      skipped.push(`${title} is not compared: ${line}`);
    }
  };
  add("faster-whisper int8", "faster-whisper", () => {
    const { python, weights } = prepare("faster-whisper", "bench/peers/ctranslate2-whisper.py", "ctranslate2");
    converted = weights;
    const command = (mode: string) => [python, "faster-whisper", mode, weights];
    return [
      ["5 beams", command("beams")],
      ["greedy", command("greedy")],
      ["greedy, 2 workers", command("workers")],
      ["greedy, batches of 8", command("batched")],
    ];
  });
  add("whisper.cpp q8_0", "pywhispercpp", () => {
    const { python, weights } = prepare("pywhispercpp", "bench/peers/ggml-whisper.py", "ggml-q8_0.bin");
    const command = (mode: string) => [python, "whisper.cpp", mode, weights];
    return [
      ["5 beams", command("beams")],
      ["greedy", command("greedy")],
    ];
  });
  const english = { isEnglish: true, hasNoTimes: true };
  add(
    "sherpa-onnx, Moonshine base",
    "sherpa-onnx",
    () => {
      const python = environmentWith(folder, "sherpa-onnx");
      const weights = moonshineForSherpa(path.join(folder, "moonshine"));
      const activity = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v5.onnx");
      copyFileSync(activity, path.join(weights, "silero_vad.onnx"));
      const command = (mode: string) => [python, "sherpa-onnx", mode, weights];
      return [
        ["2 threads", command("threads")],
        ["2 recognisers of a thread", command("workers")],
      ];
    },
    english,
  );
  return { modes, skipped, ...(converted === undefined ? {} : { weights: converted }) };
}

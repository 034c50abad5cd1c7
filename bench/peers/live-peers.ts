// The services of the live comparison: how each is started. WhisperLiveKit and WhisperLive share one virtual environment, as both
// need PyTorch. What cannot be set up is skipped with the reason.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { packageFolder } from "../../src/platform/process/package-folder.ts";
import { sleep } from "../../src/platform/process/sleep.ts";
import { freePort } from "../../test/fixtures/free-port.ts";
import { ready, startService } from "../../test/service.ts";
import { type LiveClient, parlanceClient, whisperLiveClient, whisperLiveKitClient } from "./live-clients.ts";

export interface LiveServer {
  processId: number;
  /** Opens a session. */
  open(): Promise<LiveClient>;
  stop(): Promise<void>;
}

export interface LivePeer {
  name: string;
  version: string;
  start(): Promise<LiveServer>;
}

const PACKAGES = { whisperlivekit: "0.2.26", "whisper-live": "0.10.0" };
/** What the faster-whisper backend of whisper-live imports; its other dependencies need a compiler and sound libraries. */
const WHISPER_LIVE_NEEDS = ["onnxruntime", "scipy", "prometheus-client"];
const START_MILLISECONDS = 120_000;

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Starts a server of Python and waits for its port. @throws Error with its last output if it ends before */
async function pythonServer(
  python: string,
  parameters: (port: number) => string[],
  home: string,
  open: (port: number) => Promise<LiveClient>,
): Promise<LiveServer> {
  const port = await freePort();
  // No hub can be reached: weights and voice activity are on this machine.
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, HF_HUB_OFFLINE: "1" };
  const child: ChildProcess = spawn(python, parameters(port), { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const pipe of [child.stdout, child.stderr]) {
    pipe?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    });
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  for (const limit = performance.now() + START_MILLISECONDS; !(await isOpen(port)); ) {
    if (child.exitCode !== null || performance.now() > limit) {
      await stop();
      throw new Error(`it did not start: ${output.trim().split("\n").at(-1)}`);
    }
    await sleep(200);
  }
  return { processId: child.pid as number, open: () => open(port), stop };
}

function liveEnvironment(folder: string): string {
  const home = path.join(folder, `python-live-${Object.values(PACKAGES).join("-")}`);
  const python = path.join(home, "bin", "python");
  const run = (command: string, ...parameters: string[]) =>
    execFileSync(command, parameters, { stdio: ["ignore", "ignore", "pipe"] });
  if (!existsSync(path.join(home, "ready"))) {
    const pip = ["-m", "pip", "install", "--quiet"];
    run("python3", "-m", "venv", "--clear", home);
    run(python, ...pip, `whisperlivekit==${PACKAGES.whisperlivekit}`, ...WHISPER_LIVE_NEEDS);
    run(python, ...pip, "--no-deps", `whisper-live==${PACKAGES["whisper-live"]}`);
    run("touch", path.join(home, "ready"));
  }
  return python;
}

/** WhisperLive downloads Silero's voice activity; the same network is in a package of this repository. */
function placeVoiceActivity(home: string): void {
  const to = path.join(home, ".cache", "whisper-live");
  mkdirSync(to, { recursive: true });
  const dist = path.join(packageFolder("@ricky0123/vad-web"), "dist");
  copyFileSync(path.join(dist, "silero_vad_v5.onnx"), path.join(to, "silero_vad.onnx"));
}

/** Its `run_server.py`, which the package leaves out. */
const WHISPER_LIVE_SERVER = `
import os, sys
os.environ["OMP_NUM_THREADS"] = "2"
from whisper_live.server import TranscriptionServer
batches = sys.argv[3] == "batches"
TranscriptionServer().run("127.0.0.1", port=int(sys.argv[1]), backend="faster_whisper", faster_whisper_custom_model_path=sys.argv[2],
    single_model=True, max_clients=64, max_connection_time=3600, batch_enabled=batches)
`;

/**
 * @param folder   keeps the environments
 * @param weights  Whisper base for CTranslate2; undefined if it could not be converted
 * @param models   folder with an installed whisper-base
 */
export function livePeers(folder: string, weights: string | undefined, models: string, version: string) {
  const parlance = (model?: string) => async (): Promise<LiveServer> => {
    const environment = {
      PARLANCE_MAX_LIVE_SESSIONS: "64",
      PARLANCE_MODELS_DIR: models,
      PARLANCE_MULTILINGUAL_MODEL: "whisper-base",
    };
    const service = await startService({ environment });
    await ready(service);
    const { processId } = service;
    return { processId, open: () => parlanceClient(service, model), stop: () => service.remove() };
  };
  const peers: LivePeer[] = [
    { name: "Parlance, Moonshine base", version, start: parlance() },
    { name: "Parlance, Whisper base", version, start: parlance("whisper-base") },
  ];
  const skipped: string[] = [];
  try {
    if (weights === undefined) throw new Error("the weights could not be converted");
    const python = liveEnvironment(folder);
    placeVoiceActivity(folder);
    const kit = (policy: string) => (port: number) => [
      ...["-m", "whisperlivekit.basic_server", "--host", "127.0.0.1", "--port", String(port), "--pcm-input"],
      ...["--backend", "faster-whisper", "--backend-policy", policy, "--model_dir", weights, "--lan", "en"],
    ];
    peers.push({
      name: "WhisperLiveKit, faster-whisper, LocalAgreement",
      version: `whisperlivekit ${PACKAGES.whisperlivekit}`,
      start: () => pythonServer(python, kit("localagreement"), folder, whisperLiveKitClient),
    });
    for (const mode of ["one by one", "batches"]) {
      peers.push({
        name: `WhisperLive, faster-whisper, ${mode}`,
        version: `whisper-live ${PACKAGES["whisper-live"]}`,
        start: () =>
          pythonServer(
            python,
            (port) => ["-c", WHISPER_LIVE_SERVER, String(port), weights, mode],
            folder,
            (port) => whisperLiveClient(port, weights),
          ),
      });
    }
  } catch (error) {
    const [line] = (error as Error).message.split("\n");
    skipped.push(`WhisperLiveKit and WhisperLive are not compared: ${line}`);
  }
  return { peers, skipped };
}

// Runs every known client, in its current version, against a service with real speech, and writes the table of docs/clients.md.
// With arguments, it runs the clients alone whose program contains one of them (npm run clients -- flux wyoming), and leaves the table as it is.
// Each program of test/clients/matrix prints the transcript. Downloads the clients from the npm registry and from PyPI.
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "../test/fixtures/free-port.ts";
import { HELLO_MP3 } from "../test/fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../test/fixtures/speech.ts";
import { ready, startService, TEST_KEY } from "../test/service.ts";

interface Client {
  /** Of the npm registry or PyPI. */
  name: string;
  registry: "npm" | "PyPI";
  program: string;
  uses: string;
  /** What is installed beside it. */
  extra?: string[];
}

const CLIENTS: readonly Client[] = [
  { name: "openai", registry: "npm", program: "openai.js", uses: "`/v1`: words, stream" },
  { name: "openai", registry: "PyPI", program: "openai_sdk.py", uses: "`/v1`: words" },
  { name: "@ai-sdk/openai", registry: "npm", program: "ai-sdk-openai.js", uses: "`/v1`: `providerOptions`" },
  {
    name: "langchain-community",
    registry: "PyPI",
    program: "langchain_parser.py",
    uses: "`/v1`: `OpenAIWhisperParser`",
    extra: ["openai", "pydub", "imageio-ffmpeg"],
  },
  { name: "@ai-sdk/gladia", registry: "npm", program: "ai-sdk-gladia.js", uses: "`/v2`: recordings" },
  { name: "@gladiaio/sdk", registry: "npm", program: "gladia-sdk.js", uses: "`/v2`: recordings, live" },
  { name: "gladiaio-sdk", registry: "PyPI", program: "gladia_sdk.py", uses: "`/v2`: recordings" },
  { name: "livekit-plugins-gladia", registry: "PyPI", program: "livekit_plugin.py", uses: "`/v2`: live" },
  { name: "openai", registry: "npm", program: "openai-realtime.js", uses: "`/v1/realtime`", extra: ["ws"] },
  {
    name: "@openai/agents-realtime",
    registry: "npm",
    program: "openai-agents-realtime.js",
    uses: "`/v1/realtime`",
    extra: ["zod"],
  },
  { name: "livekit-plugins-openai", registry: "PyPI", program: "livekit_openai.py", uses: "`/v1/realtime`" },
  {
    name: "pipecat-ai",
    registry: "PyPI",
    program: "pipecat_openai.py",
    uses: "`/v1/realtime`",
    extra: ["pipecat-ai[openai]"],
  },
  { name: "@deepgram/sdk", registry: "npm", program: "deepgram-sdk.js", uses: "`/v1/listen`: live" },
  { name: "deepgram-sdk", registry: "PyPI", program: "deepgram_sdk.py", uses: "`/v1/listen`: live" },
  { name: "livekit-plugins-deepgram", registry: "PyPI", program: "livekit_deepgram.py", uses: "`/v1/listen`: live" },
  { name: "@deepgram/sdk", registry: "npm", program: "deepgram-flux.js", uses: "`/v2/listen`" },
  { name: "deepgram-sdk", registry: "PyPI", program: "deepgram_flux.py", uses: "`/v2/listen`" },
  { name: "livekit-plugins-deepgram", registry: "PyPI", program: "livekit_flux.py", uses: "`/v2/listen`: `STTv2`" },
  {
    name: "pipecat-ai",
    registry: "PyPI",
    program: "pipecat_flux.py",
    uses: "`/v2/listen`: `DeepgramFluxSTTService`",
    extra: ["pipecat-ai[deepgram]"],
  },
  {
    name: "pipecat-ai",
    registry: "PyPI",
    program: "pipecat_deepgram.py",
    uses: "`/v1/listen`: live",
    extra: ["pipecat-ai[deepgram]"],
  },
  {
    name: "pipecat-ai",
    registry: "PyPI",
    program: "pipecat_service.py",
    uses: "`/v2`: live",
    extra: ["pipecat-ai[gladia]"],
  },
  { name: "assemblyai", registry: "npm", program: "assemblyai-sdk.js", uses: "`/v3/ws`, `/v3/token`", extra: ["ws"] },
  { name: "assemblyai", registry: "PyPI", program: "assemblyai_sdk.py", uses: "`/v3/ws`" },
  { name: "assemblyai", registry: "npm", program: "assemblyai-recorded.js", uses: "`/v2/transcript`, `/v2/upload`" },
  { name: "assemblyai", registry: "PyPI", program: "assemblyai_recorded.py", uses: "`/v2/transcript`, `/v2/upload`" },
  { name: "livekit-plugins-assemblyai", registry: "PyPI", program: "livekit_assemblyai.py", uses: "`/v3/ws`" },
  { name: "wyoming", registry: "PyPI", program: "wyoming_client.py", uses: "Wyoming protocol" },
];
const PROGRAMS = path.resolve("test/clients/matrix");
const PAGE = "docs/clients.md";
const TABLE = /<!-- clients -->[\s\S]*<!-- \/clients -->/;
const PROGRAM_MILLISECONDS = 120_000;
const HELLO = /hello from the/i;

function run(command: string, args: string[], cwd: string, environment: Record<string, string> = {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...environment } });
    const timer = setTimeout(
      () => child.kill("SIGKILL"),
      PROGRAM_MILLISECONDS * (command === "npm" || args.includes("pip") ? 5 : 1),
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

/** Each Python client has an environment of its own: their dependencies exclude each other. */
async function install({ name, registry, extra = [] }: Client, folder: string) {
  const packages = [name, ...extra];
  if (registry === "npm") {
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages.map((one) => `${one}@latest`)];
    const { code, output } = await run("npm", args, folder);
    if (code !== 0) throw new Error(output);
    const manifest = JSON.parse(readFileSync(path.join(folder, "node_modules", name, "package.json"), "utf8"));
    return { command: process.execPath, version: String(manifest.version) };
  }
  const command = path.join(folder, "venv", "bin", "python");
  await run("python3", ["-m", "venv", "venv"], folder);
  const { code, output } = await run(command, ["-m", "pip", "install", "--quiet", ...packages], folder);
  if (code !== 0) throw new Error(output);
  const shown = await run(command, ["-c", `import importlib.metadata as m; print(m.version("${name}"))`], folder);
  return { command, version: shown.output.trim() };
}

async function check(client: Client, base: string, wyoming: string, folder: string) {
  const { command, version } = await install(client, folder);
  copyFileSync(path.join(PROGRAMS, client.program), path.join(folder, client.program));
  cpSync(path.join(PROGRAMS, "shared"), folder, { recursive: true });
  const pcm = path.join(folder, "speech.pcm");
  writeFileSync(pcm, encodePcm([await decodeSpeech()]));
  const environment = { SERVICE: base, WYOMING: wyoming, KEY: TEST_KEY, RECORDING: HELLO_MP3, PCM: pcm };
  const { code, output } = await run(command, [client.program], folder, environment);
  return { version, output, isGood: code === 0 && HELLO.test(output) };
}

const wanted = process.argv.slice(2);
const chosen = CLIENTS.filter(({ program }) => wanted.length === 0 || wanted.some((one) => program.includes(one)));
const wyomingPort = await freePort();
const service = await startService({ environment: { PARLANCE_WYOMING_PORT: String(wyomingPort) } });
const rows: string[] = [];
let failures = 0;
try {
  await ready(service);
  for (const client of chosen) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-clients-"));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "client", type: "module", private: true }));
    try {
      const { version, isGood, output } = await check(client, service.base, `tcp://127.0.0.1:${wyomingPort}`, folder);
      rows.push(
        `| \`${client.name}\` (${client.registry}) | ${version} | ${client.uses} | ${isGood ? "works" : "fails"} |`,
      );
      process.stdout.write(`${rows.at(-1)}\n`);
      if (isGood) continue;
      failures++;
      process.stdout.write(`${output}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
} finally {
  await service.remove();
}
const date = new Date().toISOString().slice(0, 10);
const table = ["| client | version | uses | result |", "| --- | --- | --- | --- |", ...rows].join("\n");
const text = `<!-- clients -->\nOn ${date}, with Node ${process.versions.node}:\n\n${table}\n<!-- /clients -->`;
if (wanted.length === 0) writeFileSync(PAGE, readFileSync(PAGE, "utf8").replace(TABLE, text));
process.exitCode = failures > 0 ? 1 : 0;

// parlance login and logout: stores the service that other commands use.

import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { PARLANCE } from "../platform/command-prefix.ts";
import { loadSettings } from "../platform/config/load.ts";
import { askService } from "../platform/net/service-request.ts";
import { forgetLogin, storedLogin, storeLogin } from "./login-file.ts";
import { serverAddress } from "./service-options.ts";
import { readSecret } from "./terminal-prompt.ts";
import { UsageError } from "./usage-error.ts";

/** As shells report a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Reads a line from the terminal without showing it, or all of standard input. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write("Account key (empty if the service needs none): ");
  const key = await readSecret(process.stdin);
  process.stderr.write("\n");
  if (key !== undefined) return key;
  process.stderr.write("parlance: interrupted; no login is stored\n");
  process.exit(INTERRUPTED);
}

/** Names such as 127.example.com are of other machines. */
const OF_THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isUnprotected(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === "http:" && !OF_THIS_MACHINE.test(hostname);
}

async function login({ server, key, status }: { server?: string; key?: string; status?: boolean }): Promise<void> {
  if (status) {
    const stored = storedLogin();
    if (!stored) throw new UsageError(`no login is stored: ${PARLANCE} login --server ADDRESS`);
    await askService({ base: stored.server, key: stored.key }, "GET", "/v2/transcription?limit=1");
    process.stdout.write(`${stored.server} accepts the stored key\n`);
    return;
  }
  if (server === undefined) throw new UsageError(`name the service: ${PARLANCE} login --server ADDRESS`);
  const base = serverAddress(server);
  const given = key ?? (loadSettings().apiKey || (await readKey()));
  if (isUnprotected(base)) process.stderr.write("parlance: the key is sent without encryption; use https if you can\n");
  await askService({ base, key: given }, "GET", "/v2/transcription?limit=1");
  const file = await storeLogin({ server: base, key: given });
  process.stdout.write(`Stored in ${file}. transcribe, live and jobs now use ${base}.\n`);
}

export function addLogin(program: Command): void {
  program
    .command("login")
    .description("Store a service and a key that transcribe, live and jobs use from now on")
    .option("--server <address>", "address of the service")
    .option("--key <key>", "account key; default: PARLANCE_API_KEY, else it is read from the terminal or a pipe")
    .option("--status", "check the stored login")
    .addHelpText("after", `\nExample:\n  ${PARLANCE} login --server https://speech.example.com < key.txt`)
    .action(login);
  program
    .command("logout")
    .description("Forget the stored service and key")
    .action(async () => {
      process.stdout.write((await forgetLogin()) ? "The login is removed\n" : "No login was stored\n");
    });
}

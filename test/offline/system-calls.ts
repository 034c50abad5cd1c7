// What a program and all its children do to the network and to files, from the system calls that strace records.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const NETWORK = ["connect", "bind", "sendto", "sendmsg", "sendmmsg"];
const FILES = ["open", "openat", "creat", "mkdir", "mkdirat", "mknod", "mknodat", "rename", "renameat", "renameat2"];
const LINKS = ["link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "rmdir", "truncate"];
/** A traced program stops at these calls only, by a seccomp filter: about as fast as without strace. */
const OPTIONS = ["-ff", "-y", "-qq", "-s", "256", "--seccomp-bpf", "-e", "signal=none"];

/** Whether strace is installed and this process may trace its children. */
export const canTrace = spawnSync("strace", ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "true"]).status === 0;

/** The command that runs `command` and writes a file PREFIX.THREAD for each of its threads. */
export function traced(prefix: string, ...command: string[]): string[] {
  const calls = [...NETWORK, ...FILES, ...LINKS].map((call) => `?${call}`).join(",");
  return ["strace", ...OPTIONS, "-o", prefix, "-e", `trace=${calls}`, ...command];
}

/** Every recorded call that succeeded or, on the network, was tried. */
export function callsIn(prefix: string): string[] {
  const folder = path.dirname(prefix);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${path.basename(prefix)}.`))
    .flatMap((name) => readFileSync(path.join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "");
}

const LOOPBACK = /inet_addr\("127\.|inet_pton\(AF_INET6, "(::1|::ffff:127\.[\d.]+)"/;
const NAME_SERVER_PORT = /sin6?_port=htons\(53\)/;

/** Calls that send to, or listen on, anything beyond this machine's loopback interface, and all name look-ups. */
export function networkUses(calls: readonly string[]): string[] {
  return calls.filter((call) => {
    if (!NETWORK.includes(/^\w+/.exec(call)?.[0] ?? "")) return false;
    if (NAME_SERVER_PORT.test(call)) return true;
    if (/sa_family=AF_INET6?\b/.test(call)) return !LOOPBACK.test(call);
    // A name service of the machine, such as systemd-resolved, would be reached this way.
    return /^connect\([\s\S]*AF_UNIX/.test(call) && / = 0$/.test(call);
  });
}

const MAKES = /O_(WRONLY|RDWR|CREAT|TRUNC)/;
const DEVICE = /^\/(dev\/(null|tty|pts\/\d+|ptmx)|proc\/self\/)/;

/** Files and folders that were made, changed, renamed or removed, as absolute paths. */
export function filesChanged(calls: readonly string[]): string[] {
  const found = new Set<string>();
  for (const call of calls) {
    const name = /^\w+/.exec(call)?.[0] ?? "";
    if (NETWORK.includes(name) || / = -1 /.test(call)) continue;
    if (/^(open|openat)$/.test(name) && !MAKES.test(call)) continue;
    // AT_FDCWD</folder>, "name": relative names are below the folder in front of them.
    for (const [, folder = "/", file = ""] of call.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)) {
      const absolute = path.resolve(folder, file);
      if (!DEVICE.test(absolute)) found.add(absolute);
    }
  }
  return [...found].sort();
}

/** Of paths, those that are not below one of the folders. */
export function outside(paths: readonly string[], ...folders: string[]): string[] {
  return paths.filter((one) => !folders.some((folder) => one === folder || one.startsWith(`${folder}/`)));
}

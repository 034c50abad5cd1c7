// PARLANCE_HOST and PARLANCE_PORT: where the server listens, and where programs of the same machine reach it.
import { isIPv4, isIPv6 } from "node:net";
import path from "node:path";

export type ListenAddress = { kind: "port"; hosts: string[]; port: number } | { kind: "socket"; path: string };

/** Where a program of this machine connects to. */
export type LocalTarget = { host: string; port: number } | { socketPath: string };

const SOCKET_SCHEME = "unix:";
/** `sun_path` has 104 bytes on macOS and 108 on Linux, with a final zero. */
const MOST_SOCKET_PATH_BYTES = 103;
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const ALL = "*";
const ALL_IPV4 = "0.0.0.0";
const ALL_IPV6 = "::";

const withoutBrackets = (value: string) => /^\[(.*)\]$/.exec(value)?.[1] ?? value;

function socketPathOf(value: string): string | undefined {
  if (value.startsWith(SOCKET_SCHEME)) return value.slice(SOCKET_SCHEME.length);
  return path.isAbsolute(value) ? value : undefined;
}

/** @returns what is wrong with the value of PARLANCE_HOST, or undefined */
export function hostProblem(value: string): string | undefined {
  const socketPath = socketPathOf(value);
  if (socketPath !== undefined) {
    if (!path.isAbsolute(socketPath)) return `must name a Unix socket by its absolute path; it is "${value}"`;
    return Buffer.byteLength(socketPath) > MOST_SOCKET_PATH_BYTES
      ? `must name a Unix socket by a path of at most ${MOST_SOCKET_PATH_BYTES} bytes; it has ${Buffer.byteLength(socketPath)}`
      : undefined;
  }
  const host = withoutBrackets(value);
  if (value === ALL || isIPv6(host) || (host === value && isIPv4(host))) return undefined;
  // Such as 127.0.0.1:80 or 300.1.1.1.
  const isNumeric = /^[\d.]+$/.test(host);
  if (host === value && !isNumeric && HOST_NAME.test(host)) return undefined;
  return `must be an IP address, a host name, * for all addresses, or unix:/path of a socket, without a port; it is "${value}"`;
}

export function listenAddressOf({ host: value, port }: { host: string; port: number }): ListenAddress {
  const socketPath = socketPathOf(value);
  if (socketPath !== undefined) return { kind: "socket", path: socketPath };
  // "::" takes IPv4 connections, too; it does not exist where IPv6 is switched off.
  return { kind: "port", hosts: value === ALL ? [ALL_IPV6, ALL_IPV4] : [withoutBrackets(value)], port };
}

/** @param host  address that a server listens on @returns the one to connect to on the same machine */
function reachable(host: string): string {
  if (host === ALL_IPV4) return "127.0.0.1";
  // As an IPv4-mapped address or with zeros written out, it is still the unspecified address.
  return isIPv6(host) && /^[0:]+$/.test(host) ? "::1" : host;
}

/** @returns where the service with these settings is reached from the same machine, the most likely first */
export function localTargets(settings: { host: string; port: number }): LocalTarget[] {
  const address = listenAddressOf(settings);
  if (address.kind === "socket") return [{ socketPath: address.path }];
  return address.hosts.map((host) => ({ host: reachable(host), port: address.port }));
}

/** @returns the form in which messages and URLs name it: http://localhost:8080, or unix:/path */
export function shownTarget(target: LocalTarget): string {
  if ("socketPath" in target) return `${SOCKET_SCHEME}${target.socketPath}`;
  const host = target.host === "127.0.0.1" ? "localhost" : target.host;
  // A URL cannot contain the zone of a link-local address.
  return `http://${isIPv6(host) ? `[${host}]` : host}:${target.port}`;
}

/** @param value  of --server or a setting @returns path of the socket; undefined for any other address */
export function socketOf(value: string): string | undefined {
  return value.startsWith(SOCKET_SCHEME) ? value.slice(SOCKET_SCHEME.length) : undefined;
}

/** @returns what is wrong with the value of PARLANCE_SOCKET_MODE, or undefined */
export function socketModeProblem(value: string): string | undefined {
  return /^0?[0-7]{3}$/.test(value) ? undefined : `must be three octal digits, such as 660; it is "${value}"`;
}

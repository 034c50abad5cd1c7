// Who may use the listeners of protocols without keys: whoever connects uses the account of the settings.
import ipaddr from "ipaddr.js";
import { hostProblem, listenAddressOf } from "./listen-address.ts";
import { trustedProxiesProblem, trustOf } from "./trusted-proxies.ts";

const EVERYBODY = "*";
const LOCAL_NAME = "localhost";

/** @returns what is wrong with the host of such a listener, or undefined */
export function listenerHostProblem(value: string): string | undefined {
  const problem = hostProblem(value);
  if (problem !== undefined) return problem;
  const isSocket = listenAddressOf({ host: value, port: 0 }).kind === "socket";
  return isSocket
    ? `must be an IP address, a host name or *; a Unix socket is not supported; it is "${value}"`
    : undefined;
}

/** @returns what is wrong with the clients of such a listener, or undefined */
export function clientsProblem(value: string): string | undefined {
  if (value === EVERYBODY) return undefined;
  const problem = trustedProxiesProblem(value);
  if (problem === undefined) return undefined;
  return value.split(",").some((word) => word.trim() === EVERYBODY) ? "must be either * or a list" : problem;
}

/** @returns a test whether the client at an address may connect */
export function clientsOf(value: string): (address: string | undefined) => boolean {
  if (value === EVERYBODY) return () => true;
  return trustOf(value) ?? (() => false);
}

function isLoopback(host: string): boolean {
  if (host === LOCAL_NAME) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
}

export interface KeylessListener {
  /** Beginning of the names of its settings. */
  variable: string;
  /** As sentences name the protocol. */
  protocol: string;
  /** Whose address an operator would add. */
  example: string;
  port: number;
  host: string;
  clients: string;
}

/** @param httpPort  of the HTTP interface @returns what must not be combined, a sentence each */
export function listenerProblems(listener: KeylessListener, httpPort: number): string[] {
  const { variable, protocol, example, port, host, clients } = listener;
  if (port === 0) return [];
  const address = listenAddressOf({ host, port });
  const hosts = address.kind === "port" ? address.hosts : [];
  const problems: string[] = [];
  if (port === httpPort) {
    problems.push(`${variable}_PORT and PARLANCE_PORT are both ${port}; set one of them to another port`);
  }
  const admitsOthers = clientsOf(clients);
  const isReached = !hosts.every(isLoopback);
  if (
    isReached &&
    clients.split(",").every((word) => word.trim() === "" || ["loopback", "none"].includes(word.trim()))
  ) {
    problems.push(
      `${variable}_HOST is ${host}, which other machines can reach, and ${protocol} has no keys: set ${variable}_CLIENTS to the addresses or networks that may connect, such as that of ${example} (* admits everybody), or ${variable}_HOST to 127.0.0.1`,
    );
  } else if (!isReached && !admitsOthers("127.0.0.1") && !admitsOthers("::1")) {
    problems.push(
      `${variable}_HOST is ${host}, which only this machine can reach, and ${variable}_CLIENTS does not admit it: add loopback`,
    );
  }
  return problems;
}

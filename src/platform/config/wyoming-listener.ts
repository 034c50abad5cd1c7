// Who may use the listener of the Wyoming protocol. The protocol has no keys: whoever connects uses the account of the settings.
import ipaddr from "ipaddr.js";
import { hostProblem, listenAddressOf } from "./listen-address.ts";
import { trustedProxiesProblem, trustOf } from "./trusted-proxies.ts";

const EVERYBODY = "*";
const LOCAL_NAME = "localhost";

/** @returns what is wrong with PARLANCE_WYOMING_HOST, or undefined */
export function wyomingHostProblem(value: string): string | undefined {
  const problem = hostProblem(value);
  if (problem !== undefined) return problem;
  const isSocket = listenAddressOf({ host: value, port: 0 }).kind === "socket";
  return isSocket
    ? `must be an IP address, a host name or *; a Unix socket is not supported; it is "${value}"`
    : undefined;
}

/** @returns what is wrong with PARLANCE_WYOMING_CLIENTS, or undefined */
export function clientsProblem(value: string): string | undefined {
  if (value === EVERYBODY) return undefined;
  const problem = trustedProxiesProblem(value);
  if (problem === undefined) return undefined;
  return value.split(",").some((word) => word.trim() === EVERYBODY) ? "must be either * or a list" : problem;
}

/** @returns a test whether the client at an address may connect */
export function wyomingClients(value: string): (address: string | undefined) => boolean {
  if (value === EVERYBODY) return () => true;
  return trustOf(value) ?? (() => false);
}

function isLoopback(host: string): boolean {
  if (host === LOCAL_NAME) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback";
}

export interface ListenerSettings {
  wyomingPort: number;
  wyomingHost: string;
  wyomingClients: string;
  /** Of the HTTP interface. */
  port: number;
}

/** @returns what must not be combined, a sentence each */
export function wyomingProblems(settings: ListenerSettings): string[] {
  const { wyomingPort, wyomingHost, wyomingClients: clients, port } = settings;
  if (wyomingPort === 0) return [];
  const address = listenAddressOf({ host: wyomingHost, port: wyomingPort });
  const hosts = address.kind === "port" ? address.hosts : [];
  const problems: string[] = [];
  if (wyomingPort === port) {
    problems.push(`PARLANCE_WYOMING_PORT and PARLANCE_PORT are both ${port}; set one of them to another port`);
  }
  const admitsOthers = wyomingClients(clients);
  const isReached = !hosts.every(isLoopback);
  if (
    isReached &&
    clients.split(",").every((word) => word.trim() === "" || ["loopback", "none"].includes(word.trim()))
  ) {
    problems.push(
      `PARLANCE_WYOMING_HOST is ${wyomingHost}, which other machines can reach, and the Wyoming protocol has no keys: set PARLANCE_WYOMING_CLIENTS to the addresses or networks that may connect, such as that of Home Assistant (* admits everybody), or PARLANCE_WYOMING_HOST to 127.0.0.1`,
    );
  } else if (!isReached && !admitsOthers("127.0.0.1") && !admitsOthers("::1")) {
    problems.push(
      `PARLANCE_WYOMING_HOST is ${wyomingHost}, which only this machine can reach, and PARLANCE_WYOMING_CLIENTS does not admit it: add loopback`,
    );
  }
  return problems;
}

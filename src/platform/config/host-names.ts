// Names in Host headers. A foreign page can have its own name resolve to this machine (DNS rebinding): its requests
// then come from this machine's browser and name the foreign host.
import os from "node:os";
import ipaddr from "ipaddr.js";
import { withoutBrackets } from "../addresses/web-url.ts";

const NAME = /^\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

const namesOf = (value: string) =>
  value
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");

/** @returns what is wrong with the setting, or undefined */
export function allowedHostsProblem(value: string): string | undefined {
  const wrong = namesOf(value).find((name) => name !== "*" && !NAME.test(name));
  return wrong === undefined ? undefined : `must be host names without port, comma-separated, or *; it has "${wrong}"`;
}

/** @returns the name in a Host header, in lower case, without port and final dot; undefined where it is none */
export function hostNameOf(host: string | undefined): string | undefined {
  if (host === undefined || host === "" || /[\s/\\@?#%]/.test(host)) return undefined;
  if (!URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.toLowerCase().replace(/\.$/, "");
}

function isAddress(name: string): boolean {
  return ipaddr.isValid(withoutBrackets(name));
}

/**
 * @param allowed    value of PARLANCE_ALLOWED_HOSTS
 * @param publicUrl  value of PARLANCE_PUBLIC_URL
 * @returns a test whether a Host header names this service. An IP address always does: after DNS rebinding a browser
 *   sends the foreign name.
 */
export function hostJudge(allowed: string, publicUrl: string): (host: string | undefined) => boolean {
  const names = namesOf(allowed);
  const own = os.hostname().toLowerCase();
  const exact = new Set([...names, "localhost", own, `${own}.local`]);
  if (publicUrl !== "") exact.add(new URL(publicUrl).hostname.toLowerCase());
  const suffixes = [...names.filter((name) => name.startsWith(".")), ".localhost"];
  return (host) => {
    if (names.includes("*")) return true;
    const name = hostNameOf(host);
    if (name === undefined) return false;
    return exact.has(name) || isAddress(name) || suffixes.some((suffix) => name.endsWith(suffix));
  };
}

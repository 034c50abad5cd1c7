// Which network addresses the service may connect to for a client. Resolved addresses are checked, never
// strings, so that decimal, octal and mapped spellings make no difference.
import ipaddr from "ipaddr.js";
import { FetchAddress } from "../addresses/fetch-address.ts";
import { srtOptions } from "../addresses/srt-address.ts";
import { type StreamAddress, streamAddress } from "../addresses/stream-address.ts";
import { CUT_CREDENTIALS, hasCutCredentials, parseUrl, withoutBrackets } from "../addresses/web-url.ts";

/** Ranges by ipaddr.js's names; everything that is not plain public unicast is refused. */
const PUBLIC_RANGE = "unicast";
/**
 * The only IPv6 addresses that are assigned to hosts of the Internet (RFC 4291, IANA). All others are refused, among them every
 * form that contains an IPv4 address outside this block: compatible (::7f00:1), translated (::ffff:0:7f00:1), NAT64 (64:ff9b::).
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Blocks in the public ranges that are not hosts of the Internet. */
const REFUSED_BLOCKS = (
  [
    // Azure's host answers its virtual machines here. The addresses of other clouds are link-local, shared or unique local ones.
    ["168.63.129.16/32", "cloud metadata"],
    ["192.88.99.0/24", "6to4 relay"],
    ["192.31.196.0/24", "AS112"],
    ["192.52.193.0/24", "AMT"],
    ["192.175.48.0/24", "AS112"],
    // IETF protocol assignments, among them Teredo and ORCHID.
    ["2001::/23", "reserved"],
    ["2001:db8::/32", "documentation"],
    // An address of the form 2002:a00:1:: leads to 10.0.0.1.
    ["2002::/16", "6to4"],
    ["2620:4f:8000::/48", "AS112"],
    ["3fff::/20", "documentation"],
  ] as const
).map(([block, name]) => ({ block: ipaddr.parseCIDR(block), name }));

type Address = ReturnType<typeof ipaddr.process>;
type Block = ReturnType<typeof ipaddr.parseCIDR>;

const isIn = (address: Address, block: Block) =>
  address.kind() === block[0].kind() && (address as ipaddr.IPv6).match(block as [ipaddr.IPv6, number]);

/** For messages about refused addresses. */
export const PRIVATE_ADVICE = "the operator can allow private ones with PARLANCE_ALLOW_PRIVATE_ADDRESSES=true";

/** @returns why the address is refused, or undefined when it is public */
export function refusedAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "it is no IP address";
  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, which is another address.
  const isMixed = address.includes(":") && address.includes(".");
  const parsed = ipaddr.process(isMixed ? (parseUrl(`http://[${address}]/`)?.hostname.slice(1, -1) ?? "::") : address);
  const range = parsed.range();
  if (range !== PUBLIC_RANGE) return `it belongs to a ${range} network`;
  if (parsed.kind() === "ipv6" && !isIn(parsed, GLOBAL_UNICAST)) return "it belongs to a reserved network";
  const refused = REFUSED_BLOCKS.find(({ block }) => isIn(parsed, block));
  return refused && `it belongs to a ${refused.name} network`;
}

export function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? "");
}

/** Checks what can be checked without a look-up. @returns what is wrong with the address, or undefined */
export function refusedUrl(text: string, allowPrivate: boolean): string | undefined {
  const url = parseUrl(text);
  if (hasCutCredentials(text)) return CUT_CREDENTIALS;
  if (!url || !isWebAddress(text)) return "must be a URL address with http or https";
  if (url.username !== "" || url.password !== "") return "must be a URL address without a user name or password";
  return allowPrivate ? undefined : refusedHost(withoutBrackets(url.hostname));
}

function refusedHost(host: string): string | undefined {
  // A full stop at the end names the same host.
  const isLocal = /(?:^|\.)localhost\.?$/.test(host);
  if (isLocal || (ipaddr.isValid(host) && refusedAddress(host)))
    return `must be a URL address in a public network; ${PRIVATE_ADVICE}`;
  return undefined;
}

function refusedSrt(text: string, { port, credentials }: StreamAddress): string | undefined {
  if (credentials)
    return "must be an SRT address without a user name or password; servers of SRT read them in streamid";
  if (port === 0) return "must be an SRT address with a port, such as srt://host:8890?streamid=read:stream";
  const url = parseUrl(text);
  if (url && !["", "/"].includes(url.pathname))
    return "must be an SRT address without a path; streamid names the stream";
  const options = srtOptions(`${url?.search}${url?.hash}`.slice(1));
  return "problem" in options ? options.problem : undefined;
}

/** Whether a text is the address of a live source, by its form. */
export const isSourceAddress = (text: string): boolean => isWebAddress(text) || streamAddress(text) !== undefined;

/**
 * Checks the address of a live source without a look-up.
 * @param text  user name and password are allowed in addresses of RTSP and HTTP @returns what is wrong with the address, or undefined
 */
export function refusedSource(text: string, allowPrivate: boolean): string | undefined {
  const address = streamAddress(text);
  if (!address) return refusedUrl(FetchAddress.of(text).shown, allowPrivate);
  if (address.protocol === "rtmp" && address.credentials)
    return "must be an RTMP address without a user name or password; servers of RTMP read keys in the path or the query";
  const refused = address.protocol === "srt" ? refusedSrt(text, address) : undefined;
  if (refused !== undefined) return refused;
  return allowPrivate ? undefined : refusedHost(address.host);
}

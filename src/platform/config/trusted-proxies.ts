// Which peers may say whom they forward for. A peer outside of the list is the client itself, whatever headers it sends.
import ipaddr from "ipaddr.js";

/** Words for ranges of addresses, by ipaddr.js's names. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  none: [],
  loopback: ["loopback"],
  private: ["loopback", "private", "uniqueLocal", "linkLocal"],
  // Values of earlier versions, in which `true` trusted every peer on the Internet.
  false: [],
  true: ["loopback", "private", "uniqueLocal", "linkLocal"],
};
const SYNONYMS: Readonly<Record<string, string>> = {
  uniquelocal: "private",
  yes: "true",
  on: "true",
  no: "false",
  off: "false",
};

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

function rangeNamed(word: string): readonly string[] | undefined {
  const name = word.toLowerCase();
  return RANGES[SYNONYMS[name] ?? name];
}

/** An address is a network of one. @returns undefined where the text is neither */
function networkOf(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text);
    // ::ffff:10.0.0.0/104 and 10.0.0.0/8 are the same network.
    if (address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
      return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
    }
    return [address, bits];
  }
  // Not isValid: it also accepts decimal and octal spellings.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

const wordsOf = (value: string) =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** @returns what is wrong with the setting, or undefined */
export function trustedProxiesProblem(value: string): string | undefined {
  const wrong = wordsOf(value).find((word) => rangeNamed(word) === undefined && networkOf(word) === undefined);
  return wrong === undefined
    ? undefined
    : `must be addresses, networks such as 10.0.0.0/8, loopback, private or none, comma-separated; it has "${wrong}"`;
}

/** Whether the value trusts whole ranges because an earlier version's `true` was kept. */
export function isLegacyTrust(value: string): boolean {
  return wordsOf(value).some((word) => (SYNONYMS[word.toLowerCase()] ?? word.toLowerCase()) === "true");
}

/** @returns a test whether a peer's X-Forwarded headers are used; undefined if none are */
export function trustOf(value: string): ((address: string | undefined) => boolean) | undefined {
  const words = wordsOf(value);
  const ranges = new Set(words.flatMap((word) => rangeNamed(word) ?? []));
  const networks = words.flatMap((word) => (rangeNamed(word) ? [] : [networkOf(word) as Network]));
  if (ranges.size === 0 && networks.length === 0) return undefined;
  return (text) => {
    // A zone (fe80::1%eth0) is the machine's own business.
    const bare = (text ?? "").split("%")[0] ?? "";
    if (!ipaddr.isValid(bare)) return false;
    const address = ipaddr.process(bare);
    if (ranges.has(address.range())) return true;
    return networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
  };
}

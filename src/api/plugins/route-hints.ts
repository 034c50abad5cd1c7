// Hints for answers of 404: the address that the client probably meant. Other services have other addresses, and a client's base
// address may lack a part or have an extra slash.

import { editDistanceWithin } from "../../speech/text/sound.ts";

/** Addresses that hints name, each with its method. */
const ADDRESSES = {
  "/asr": "POST",
  "/detect-language": "POST",
  "/docs": "GET",
  "/health": "GET",
  "/openapi.json": "GET",
  "/ready": "GET",
  "/v1/audio/transcriptions": "POST",
  "/v1/audio/translations": "POST",
  "/v1/audio/models": "GET",
  "/v1/auth/grant": "POST",
  "/v1/listen": "POST",
  "/v1/models": "GET",
  "/v1/realtime": "WebSocket",
  "/v1/realtime/client_secrets": "POST",
  "/v2/listen": "WebSocket",
  "/v2/live": "POST",
  "/v2/pre-recorded": "POST",
  "/v2/transcript": "POST",
  "/v2/transcription": "GET",
  "/v2/upload": "POST",
  "/v3/token": "GET",
  "/v3/ws": "WebSocket",
} as const;
type Address = keyof typeof ADDRESSES;

/** Beginnings of the paths of other services and interfaces. */
const ELSEWHERE: readonly { path: RegExp; address: Address; what: string }[] = [
  {
    path: /^\/v1\/realtime(\/|$)/,
    address: "/v1/realtime",
    what: "Only the transcription part of OpenAI's Realtime interface is available; connect to",
  },
  {
    path: /^\/(api\/)?(v\d\/)?(audio\/)?(inference|transcribe|speech-to-text)(\/|$)/,
    address: "/v1/audio/transcriptions",
    what: "Send a recording with",
  },
  {
    path: /^\/(v1\/(engines\/[^/]+\/)?)?transcriptions$/,
    address: "/v1/audio/transcriptions",
    what: "Send a recording with",
  },
  { path: /^\/(healthz|livez|ping)$/, address: "/health", what: "The address is" },
  { path: /^\/readyz$/, address: "/ready", what: "The address is" },
  { path: /^\/(swagger|redoc|api-docs)(\/|$)/, address: "/docs", what: "The documentation is" },
  { path: /^\/(swagger\.json|openapi\.ya?ml)$/, address: "/openapi.json", what: "The address is" },
  {
    path: /^\/(audio|video)\/text\/(audio|video)-transcription$/,
    address: "/v2/pre-recorded",
    what: "Send a recording with",
  },
];

/** /v1/audio/transcriptions → /audio/transcriptions */
const withoutVersion = (address: string) => address.replace(/^\/v\d/, "");

const LONGEST_PATH = 100;
/** For this many characters of an address, a path may have one wrong character. */
const CHARACTERS_FOR_A_FAULT = 7;
/** Without differences that a client may write by mistake: capitals, dashes, white space. */
const folded = (path: string) =>
  path
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/%20|%0a|%0d|\s/g, "");

/** The address that a path differs from least, in a few characters at most. */
function nearest(path: string, addresses: readonly Address[]): Address | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const given = folded(path);
  const similar = addresses.flatMap((address) => {
    const most = Math.floor(address.length / CHARACTERS_FOR_A_FAULT);
    const faults = editDistanceWithin(given, folded(address), most);
    return faults <= most ? [{ address, faults }] : [];
  });
  return similar.sort((left, right) => left.faults - right.faults)[0]?.address;
}

/**
 * @param path  of the request, without its query
 * @param base  public address of this service
 * @returns a sentence with the right address; "" if there is none
 */
export function routeHint(method: string, path: string, base: string): string {
  const plain = path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  const at = (address: Address) => {
    const isSocket = ADDRESSES[address] === "WebSocket";
    return `${ADDRESSES[address]} ${isSocket ? base.replace(/^http/, "ws") : base}${address}`;
  };
  const other = ELSEWHERE.find((one) => one.path.test(plain));
  if (other) return `${other.what} ${at(other.address)}`;
  const addresses = Object.keys(ADDRESSES) as Address[];
  const meant =
    addresses.find((address) => plain === address || plain.startsWith(`${address}/`)) ??
    nearest(plain, addresses) ??
    addresses.find((address) => plain.endsWith(withoutVersion(address)));
  if (meant === undefined) return "";
  if (plain === meant && ADDRESSES[meant] === "WebSocket") return `Connect to ${at(meant)}`;
  if (plain === meant && plain === path) {
    const hasOneMethod = !meant.startsWith("/v2/") || meant === "/v2/upload";
    return hasOneMethod && method !== ADDRESSES[meant] ? `This address takes ${ADDRESSES[meant]}` : "";
  }
  if (plain !== path) return `The path has an extra slash; the address is ${at(meant)}`;
  if (plain.startsWith(`${meant}/`)) return "";
  const ofOpenAi =
    meant.startsWith("/v1/") && meant !== "/v1/listen"
      ? `; a client of OpenAI's interface needs the base address ${base}/v1`
      : "";
  return `The address is ${at(meant)}${ofOpenAi}`;
}

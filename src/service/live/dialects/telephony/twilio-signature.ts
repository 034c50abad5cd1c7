// The signature of Twilio's requests: an HMAC of the address that Twilio connects to, with the auth token of its account.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { errors } from "../../../../platform/errors.ts";
import type { SignedAddress } from "../dialect.ts";

const SIGNATURE_HEADER = "x-twilio-signature";
/** Streams are signed with wss; validators that build the address of the upgrade request use https. */
const SCHEMES = ["wss", "https"];
const STANDARD_PORT = ":443";
const SHA1_BYTES = 20;
const BASE64 = /^[A-Za-z0-9+/]{27}=$/;

/** Every form of an address that Twilio may have signed: with each scheme, with and without its port, with and without a slash at the end. */
function formsOf(address: string): string[] {
  const [, host = "", path = "", query = ""] = /^([^/?]*)([^?]*)(\?.*)?$/s.exec(address) ?? [];
  const port = /:\d+$/.exec(host)?.[0] ?? "";
  const name = host.slice(0, host.length - port.length);
  const bare = path.replace(/\/$/, "");
  const hosts = [...new Set([name, `${name}${port || STANDARD_PORT}`])];
  return SCHEMES.flatMap((scheme) =>
    hosts.flatMap((one) => [bare, `${bare}/`].map((end) => `${scheme}://${one}${end}${query}`)),
  );
}

/**
 * @source Twilio, "Secure webhooks": base64 of HMAC-SHA1 of the full address with the auth token as key; a stream has no parameters of a
 *   body, and its address begins with wss
 * @throws live.signature_refused
 */
export function checkSignature(headers: IncomingHttpHeaders, { tokens, address }: SignedAddress): void {
  const given = headers[SIGNATURE_HEADER];
  if (given === undefined || given === "")
    throw errors.signatureRefused(
      "the header X-Twilio-Signature is missing; with PARLANCE_TWILIO_AUTH_TOKENS, this address needs the signature of Twilio",
    );
  const text = String(given);
  const signature = BASE64.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(SHA1_BYTES);
  const forms = formsOf(address);
  const matches = tokens.flatMap((token) =>
    forms.map((form) => timingSafeEqual(createHmac("sha1", token).update(form).digest(), signature)),
  );
  if (matches.includes(true)) return;
  // The query may have a key.
  const shown = forms[0]?.replace(/\?.*$/s, "");
  throw errors.signatureRefused(
    `X-Twilio-Signature is not that of ${shown} with its query and an auth token of PARLANCE_TWILIO_AUTH_TOKENS. If Twilio connects to another address, set PARLANCE_PUBLIC_URL`,
  );
}

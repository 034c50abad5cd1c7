// Keys of telephony platforms. Those that can set headers send the key in one; the others send a parameter. Neither is ever logged.
import type { IncomingHttpHeaders } from "node:http";

const AUTHORIZATION = /^(?:bearer|token)\s+(\S+)\s*$/i;
const BASIC = /^basic\s+([A-Za-z0-9+/=]{1,2000})\s*$/i;
/** The headers of this service's own interface; the secret of a server of Vapi; `stream_auth_token` of Telnyx. */
const KEY_HEADERS = ["x-service-key", "x-gladia-key", "x-vapi-secret", "x-telnyx-streaming-auth-token"];
/** Of an address or of a start message: the key of an account, and the token of a session that POST /v2/live created. */
export const KEY_PARAMETER = "key";
export const TOKEN_PARAMETER = "token";

/** The password of Basic, or the user's name if there is no password. */
function basicKey(encoded: string): string | undefined {
  const [name = "", ...password] = Buffer.from(encoded, "base64").toString().split(":");
  return password.join(":") || name || undefined;
}

/** @returns the key in the headers of a request; undefined without one */
export function headerKey(headers: IncomingHttpHeaders): string | undefined {
  const authorization = headers.authorization ?? "";
  const named = KEY_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string" && value !== "");
  const basic = BASIC.exec(authorization)?.[1];
  return (
    AUTHORIZATION.exec(authorization)?.[1] ?? (basic === undefined ? undefined : basicKey(basic)) ?? (named as string)
  );
}

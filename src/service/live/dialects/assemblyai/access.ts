// Keys of clients of AssemblyAI's interface: the account key alone in the header authorization, or a token in the address, for browsers.
import type { IncomingHttpHeaders } from "node:http";

/** Some clients send the key behind a scheme all the same. */
const AUTHORIZATION = /^(?:(?:bearer|token)\s+)?(\S+)\s*$/i;

/** @returns account key or token; undefined without one */
export function accessOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const token = query.get("token")?.trim();
  return token || AUTHORIZATION.exec(headers.authorization ?? "")?.[1];
}

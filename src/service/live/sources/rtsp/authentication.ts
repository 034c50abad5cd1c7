// Authorization of requests: Digest (RFC 7616, and 2069 for servers without qop) and Basic (RFC 7617).
import { createHash, randomBytes } from "node:crypto";

/** The strongest one first. */
const ALGORITHMS = { "SHA-256": "sha256", MD5: "md5" } as const;
type Algorithm = keyof typeof ALGORITHMS;

export interface Credentials {
  user: string;
  password: string;
}

interface Challenge {
  scheme: "basic" | "digest";
  fields: ReadonlyMap<string, string>;
  algorithm: Algorithm;
}

/** Servers send one for each algorithm; further ones are not tried. */
const MOST_CHALLENGES = 8;

/** Fields of a challenge: `name=value` and `name="value"`. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(/([A-Za-z-]{1,32})=(?:"([^"]*)"|([^\s,"]*))/g))
    fields.set(name.toLowerCase(), quoted ?? plain);
  return fields;
}

/** @param headers  WWW-Authenticate @returns supported ones, in the order in which they are tried */
export function challengesOf(headers: readonly string[]): Challenge[] {
  const found: Challenge[] = [];
  let count = 0;
  for (const text of headers) {
    if (count >= MOST_CHALLENGES) break;
    // A header may have several challenges: each begins with its scheme.
    const starts = [...text.matchAll(/(?:^|,\s{0,8})(Basic|Digest)\s/gi)];
    for (const [at, start] of starts.entries()) {
      if (++count > MOST_CHALLENGES) break;
      const fields = fieldsOf(text.slice(start.index + start[0].length, starts[at + 1]?.index));
      const scheme = (start[1] as string).toLowerCase() as Challenge["scheme"];
      const name = (fields.get("algorithm") ?? "MD5").toUpperCase();
      if (scheme === "digest" && !(name in ALGORITHMS)) continue;
      found.push({ scheme, fields, algorithm: name in ALGORITHMS ? (name as Algorithm) : "MD5" });
    }
  }
  const rank = ({ scheme, algorithm }: Challenge) =>
    scheme === "basic" ? 2 : Object.keys(ALGORITHMS).indexOf(algorithm);
  return found.sort((one, other) => rank(one) - rank(other));
}

/** A value in quotes must contain no quote. */
const quoted = (text: string) => `"${text.replace(/["\\\r\n]/g, "")}"`;

export class Authorization {
  private count = 0;

  constructor(
    private readonly credentials: Credentials,
    private readonly challenge: Challenge,
    private readonly clientNonce = randomBytes(8).toString("hex"),
  ) {}

  /** @returns the header for a request */
  header(method: string, url: string): string {
    const { user, password } = this.credentials;
    if (this.challenge.scheme === "basic") return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    const { fields, algorithm } = this.challenge;
    const hash = (...parts: string[]) => createHash(ALGORITHMS[algorithm]).update(parts.join(":")).digest("hex");
    const [realm, nonce] = [fields.get("realm") ?? "", fields.get("nonce") ?? ""];
    const secrets = [hash(user, realm, password), hash(method, url)] as const;
    const hasQuality = (fields.get("qop") ?? "").split(",").some((one) => one.trim().toLowerCase() === "auth");
    const count = (++this.count).toString(16).padStart(8, "0");
    const response = hasQuality
      ? hash(secrets[0], nonce, count, this.clientNonce, "auth", secrets[1])
      : hash(secrets[0], nonce, secrets[1]);
    const opaque = fields.get("opaque");
    return [
      `Digest username=${quoted(user)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      `uri=${quoted(url)}`,
      `response="${response}"`,
      // Old cameras refuse a field that their challenge did not have.
      ...(fields.has("algorithm") ? [`algorithm=${algorithm}`] : []),
      ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
      ...(hasQuality ? ["qop=auth", `nc=${count}`, `cnonce="${this.clientNonce}"`] : []),
    ].join(", ");
  }
}

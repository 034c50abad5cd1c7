// Callback signatures according to the Standard Webhooks specification (standardwebhooks.com), which receivers can
// verify with any of its libraries.
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 256 random bits in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Headers of one attempt.
 * @param id       the same for all attempts of a delivery
 * @param at       time of this attempt
 * @param secrets  the current one and, during a rotation, the previous one
 */
export function signatureHeaders(id: string, at: Date, body: string, secrets: string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

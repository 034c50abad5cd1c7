// Signatures of callbacks as the Standard Webhooks specification has them (standardwebhooks.com): receivers verify
// them with any of its libraries.
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: 256 random bits in base64 behind `whsec_`. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Headers of one attempt.
 * @param id       the same on all attempts of a delivery
 * @param at       of this attempt
 * @param secrets  the current one and, while a receiver changes over, the one before
 */
export function signatureHeaders(id: string, at: Date, body: string, secrets: string[]): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

// Keys, secrets, and the addresses that requests may reach.
import type { Setting } from "../setting.ts";

/** Auth tokens have 32. */
const LEAST_TOKEN_CHARACTERS = 16;

/** @param value  of PARLANCE_TWILIO_AUTH_TOKENS */
export const tokensIn = (value: string): string[] =>
  value === "" ? [] : value.split(",").map((token) => token.trim());

export const access = {
  apiKey: {
    kind: "text",
    variable: "PARLANCE_API_KEY",
    isSecret: true,
    default: "",
    check: (value) => (value === "" || value.length >= 8 ? undefined : "must have at least 8 characters"),
    why: "A key accepted for the default account, in addition to those in the database.",
    isEssential: true,
  },
  anonymous: {
    kind: "switch",
    variable: "PARLANCE_ANONYMOUS",
    default: false,
    why: "Accept requests without any key for the default account. For closed networks.",
  },
  keyHeaders: {
    kind: "text",
    variable: "PARLANCE_KEY_HEADERS",
    isExpert: true,
    default: "x-service-key,x-gladia-key",
    why: "Headers that may contain the key, comma-separated.",
  },
  allowPrivateAddresses: {
    kind: "switch",
    variable: "PARLANCE_ALLOW_PRIVATE_ADDRESSES",
    default: false,
    why: "Let `audio_url`, live sources and callbacks reach private, loopback and link-local addresses.",
  },
  secretsKey: {
    kind: "text",
    variable: "PARLANCE_SECRETS_KEY",
    isSecret: true,
    default: "",
    why: "Key that callback secrets and voice prints are encrypted with in the database, such as `openssl rand -base64 32` prints; the same on every machine.",
  },
  twilioAuthTokens: {
    kind: "text",
    variable: "PARLANCE_TWILIO_AUTH_TOKENS",
    isSecret: true,
    default: "",
    check: (value) =>
      value === "" || tokensIn(value).every(({ length }) => length >= LEAST_TOKEN_CHARACTERS)
        ? undefined
        : `must be auth tokens of at least ${LEAST_TOKEN_CHARACTERS} characters, separated by commas`,
    why: "Auth tokens of accounts at Twilio, comma-separated. If set, a stream to `/telephony/twilio` needs a valid `X-Twilio-Signature` in addition to its key; see [telephony](telephony.md#signatures-of-twilio).",
  },
  previousSecretsKey: {
    kind: "text",
    variable: "PARLANCE_SECRETS_KEY_PREVIOUS",
    isSecret: true,
    default: "",
    why: "The former key while `PARLANCE_SECRETS_KEY` is being changed: the start opens secrets with it and seals them with the new key. See [operating](operating.md#the-key-of-callback-secrets).",
  },
} satisfies Record<string, Setting>;

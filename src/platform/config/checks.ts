// Checks of addresses in settings. Each returns a sentence about what is wrong.
import { parsePostgresAddress } from "../addresses/postgres-address.ts";

export function httpAddress(value: string): string | undefined {
  if (value === "") return undefined;
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  return protocol === "http:" || protocol === "https:" ? undefined : "must be an http or https address";
}

export function postgresAddress(value: string): string | undefined {
  if (value === "") return undefined;
  const address = parsePostgresAddress(value);
  return "problem" in address ? address.problem : undefined;
}

export function natsAddresses(value: string): string | undefined {
  if (value === "") return undefined;
  const isAddress = (text: string) => URL.canParse(text) && /^(nats|tls):$/.test(new URL(text).protocol);
  return value.split(",").every((text) => isAddress(text.trim())) ? undefined : "must begin with nats:// or tls://";
}

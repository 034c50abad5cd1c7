// Logs once if the settings do not match the reverse proxy: with a wrong setting, every client has the proxy's address.
import { isLegacyTrust, trustOf } from "../../platform/config/trusted-proxies.ts";
import type { Api, ApiContext } from "../context.ts";

export function addForwardingHints(
  app: Api,
  { settings, forwarding, logger }: Pick<ApiContext, "forwarding" | "logger" | "settings">,
): void {
  if (isLegacyTrust(settings.trustProxy)) {
    logger.warn(
      "PARLANCE_TRUST_PROXY=true trusts X-Forwarded headers from every loopback and private address; name the proxy's addresses instead, such as PARLANCE_TRUST_PROXY=loopback",
    );
  }
  const isTrusted = trustOf(settings.trustProxy) ?? (() => false);
  let isPrefixHinted = false;
  app.addHook("onRequest", async ({ raw }) => {
    if (isPrefixHinted || raw.headers["x-forwarded-prefix"] === undefined || !forwarding.hasUnusablePrefix(raw)) return;
    isPrefixHinted = true;
    logger.warn(
      { prefix: String(raw.headers["x-forwarded-prefix"]).slice(0, 200) },
      "X-Forwarded-Prefix of a trusted proxy is ignored: it must be a path of letters, digits and . _ ~ - such as /transcripts",
    );
  });
  let isHinted = false;
  app.addHook("onRequest", async ({ raw }) => {
    if (isHinted || raw.headers["x-forwarded-for"] === undefined) return;
    const { remoteAddress } = raw.socket;
    if (isTrusted(remoteAddress)) return;
    isHinted = true;
    logger.warn(
      { peer: remoteAddress },
      "X-Forwarded-For is ignored: it comes from an address that PARLANCE_TRUST_PROXY does not name. If that is your reverse proxy, add it there",
    );
  });
}

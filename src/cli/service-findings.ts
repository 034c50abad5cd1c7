// Checks a running service for `parlance doctor`.
import { askService, type ServiceAddress } from "../platform/net/service-request.ts";
import { type Finding, reasonOf } from "./findings.ts";

const SERVICE_CHECKS: readonly [what: string, path: string, good: string][] = [
  ["service", "/health", "answers"],
  ["ready", "/ready", "accepts work"],
  ["key", "/v2/transcription?limit=1", "is accepted"],
];

export async function serviceFindings(service: ServiceAddress): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, path, good] of SERVICE_CHECKS) {
    try {
      await askService(service, "GET", path);
      findings.push({ what, level: "good", detail: what === "service" ? `${service.base} ${good}` : good });
    } catch (error) {
      findings.push({ what, level: "bad", detail: reasonOf(error) });
    }
  }
  return findings;
}

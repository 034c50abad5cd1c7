// The listener of the Wyoming protocol, in processes with the role `live`.
import { listenerProblems } from "../platform/config/keyless-listener.ts";
import { errors } from "../platform/errors.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { WyomingListener } from "../service/live/connection/wyoming/listener.ts";
import { WyomingSessions } from "../service/live/connection/wyoming/sessions.ts";
import type { Base } from "./base.ts";
import type { Interface } from "./interface.ts";

/** Beyond the time that transcripts under way have. */
const SPARE_STOP_MILLISECONDS = 2_000;

/** @returns opens the port, if the settings name one @throws settings.invalid */
export async function composeWyoming(
  { settings, logger, started, undo }: Base,
  { access }: Pick<Interface, "access">,
): Promise<() => Promise<void>> {
  const { wyomingPort: port, wyomingHost: host, wyomingClients: clients, wyomingKey: key } = settings;
  const names = { variable: "PARLANCE_WYOMING", protocol: "the Wyoming protocol", example: "Home Assistant" };
  const problems = listenerProblems({ ...names, port, host, clients }, settings.port);
  if (problems.length > 0) throw errors.invalidSettings(problems);
  if (port === 0) return async () => undefined;
  if (!started.roles.has("live")) {
    return async () => logger.warn("PARLANCE_WYOMING_PORT has no effect: this process does not have the role live");
  }
  const sessions = new WyomingSessions({
    access,
    models: started.models,
    version: await packageVersion(),
    key,
    isStrict: settings.strictRequests,
  });
  const idleMilliseconds = settings.liveIdleSeconds * 1000;
  const listener = new WyomingListener({ host, port, clients, idleMilliseconds }, sessions, logger);
  const stopMilliseconds = settings.shutdownSeconds * 1000;
  undo.push(() => listener.stop(stopMilliseconds), "the Wyoming listener", stopMilliseconds + SPARE_STOP_MILLISECONDS);
  return async () => {
    await listener.listen();
    logger.info({ host, port, clients }, "listening for clients of the Wyoming protocol");
    if (await sessions.hasAccount()) return;
    logger.error("PARLANCE_WYOMING_KEY is unknown or revoked: clients of the Wyoming protocol receive an error");
  };
}

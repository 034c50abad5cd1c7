// The listener of Asterisk's AudioSocket, in processes with the role `live`.
import { listenerProblems } from "../platform/config/keyless-listener.ts";
import { errors } from "../platform/errors.ts";
import { AudioSocketListener } from "../service/live/connection/audiosocket/listener.ts";
import { AudioSocketSessions } from "../service/live/connection/audiosocket/sessions.ts";
import type { Base } from "./base.ts";
import type { Interface } from "./interface.ts";

/** Beyond the time that calls have. */
const SPARE_STOP_MILLISECONDS = 2_000;

/** @returns opens the port, if the settings name one @throws settings.invalid */
export function composeAudioSocket(
  { settings, logger, started, undo }: Base,
  { access }: Pick<Interface, "access">,
): () => Promise<void> {
  const { audioSocketPort: port, audioSocketHost: host, audioSocketClients: clients, audioSocketKey: key } = settings;
  const names = { variable: "PARLANCE_AUDIOSOCKET", protocol: "AudioSocket", example: "Asterisk" };
  const problems = listenerProblems({ ...names, port, host, clients }, settings.port);
  if (port !== 0 && port === settings.wyomingPort) {
    problems.push(
      `PARLANCE_AUDIOSOCKET_PORT and PARLANCE_WYOMING_PORT are both ${port}; set one of them to another port`,
    );
  }
  if (problems.length > 0) throw errors.invalidSettings(problems);
  if (port === 0) return async () => undefined;
  if (!started.roles.has("live")) {
    return async () => logger.warn("PARLANCE_AUDIOSOCKET_PORT has no effect: this process does not have the role live");
  }
  const sessions = new AudioSocketSessions(access, key);
  const idleMilliseconds = settings.liveIdleSeconds * 1000;
  const listener = new AudioSocketListener({ host, port, clients, idleMilliseconds }, sessions, logger);
  const stopMilliseconds = settings.shutdownSeconds * 1000;
  const stop = () => listener.stop(stopMilliseconds);
  undo.push(stop, "the AudioSocket listener", stopMilliseconds + SPARE_STOP_MILLISECONDS);
  return async () => {
    await listener.listen();
    logger.info({ host, port, clients }, "listening for calls of Asterisk's AudioSocket");
    if (await sessions.hasAccount()) return;
    logger.error("PARLANCE_AUDIOSOCKET_KEY is unknown or revoked: calls of AudioSocket are refused");
  };
}

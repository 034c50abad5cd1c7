// The server process: V8 flags, settings, parts, port, signals. Nothing else.
import path from "node:path";
import { socketOf } from "../platform/config/listen-address.ts";
import { loadSettings, serviceManagerVariables } from "../platform/config/load.ts";
import type { ParlanceError } from "../platform/errors.ts";
import { announce, createLogger, flushLog, logProcessEvents } from "../platform/observability/log.ts";
import { onErrorOutput } from "../platform/process/error-output.ts";
import { PRIVATE_UMASK } from "../platform/process/private-umask.ts";
import { keepSemiSpacesSmall } from "../platform/process/run-module.ts";
import { ServiceManager } from "../platform/process/service-manager.ts";
import { sleep } from "../platform/process/sleep.ts";
import { isMissingDatabase } from "../service/accounts/administration/missing-database.ts";
import { startRecognition } from "./recognition-startup.ts";

/** All mean the same: a terminal that is closed sends SIGHUP. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A start that hangs is given up this long after a signal; longer than any stop takes beyond its two settings. */
const HANGING_MILLISECONDS = 60_000;

/** @param address  http://localhost:8080 or unix:/path @returns what curl takes in front of a path */
function curlAddress(address: string): string {
  const socketPath = socketOf(address);
  return socketPath === undefined ? address : `--unix-socket ${socketPath} http://localhost`;
}

/** Node collects no processes but those that it started. */
const ADVICE_AS_INIT =
  "this process is PID 1 and does not collect orphaned processes; start deploy/init.sh instead, or use docker run --init";

export async function serve(): Promise<void> {
  keepSemiSpacesSmall();
  const settings = loadSettings();
  // Child processes inherit it: what they and this process write is for their user alone.
  process.umask(PRIVATE_UMASK);
  const logger = createLogger(settings.logLevel);
  logProcessEvents(logger);
  onErrorOutput(({ name, processId }, output) => {
    logger.warn({ process: name, processId, output }, "a child process printed to standard error");
  });
  if (process.pid === 1) logger.warn(ADVICE_AS_INIT);
  const manager = new ServiceManager(serviceManagerVariables(), logger);
  let isStopping = false;
  // Takes the first signal from the start on; further ones change nothing, so that they cannot break off a stop.
  const signalled = new Promise<string>((resolve) => {
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (isStopping) return;
        isStopping = true;
        const milliseconds = (settings.drainSeconds + settings.shutdownSeconds) * 1000 + HANGING_MILLISECONDS;
        setTimeout(() => process.exit(1), milliseconds).unref();
        resolve(signal);
      });
    }
  });
  if (await isMissingDatabase(settings)) {
    announce(`A new database is created in ${path.resolve(settings.dataDirectory)}`);
  }
  const startedRecognition = await startRecognition(settings, logger);
  // Read while the recognisers load their models.
  const { composeService } = await import("./compose.ts");
  // A second writer would damage the same data: no step of a stop runs.
  const endAtOnce = (error: ParlanceError): void => {
    logger.fatal({ code: error.code }, error.message);
    void flushLog().then(() => process.exit(1));
  };
  const service = await composeService(settings, logger, startedRecognition, endAtOnce);

  const stopped = signalled.then(async (signal) => {
    logger.info({ signal }, "stopping");
    void manager.stopping();
    service.drain();
    // Load balancers that send requests here are given time to notice.
    await sleep(settings.drainSeconds * 1000);
    const isOrderly = await service.stop();
    logger.info("stopped");
    await flushLog();
    process.exit(isOrderly ? 0 : 1);
  });
  // Of a service that is being started nothing else is of interest any more.
  if (isStopping) return stopped;

  const giveUp = async (error: Error): Promise<never> => {
    // A signal has already started the stop: wait for its end.
    if (isStopping) return stopped;
    await service.stop();
    throw error;
  };
  const address = await service.listen(settings).catch(giveUp);
  logger.info({ address, model: settings.model, workers: settings.workers }, "serving");
  announce(`Parlance serves on ${address} with the model ${settings.model}`);
  const { current: key } = service.firstKey;
  if (key !== undefined) {
    announce(`Your account key, shown at every start until it is used: ${key}`);
    announce(`Try it: curl -H 'x-service-key: ${key}' -F audio=@recording.mp3 ${curlAddress(address)}/v2/upload`);
  }
  try {
    await service.warm();
    logger.info("recognisers are ready");
    if (!isStopping) await manager.ready(`serves on ${address}`);
  } catch (error) {
    await giveUp(error as Error);
  }
}

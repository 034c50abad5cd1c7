// The server process: settings, parts, port, signals. Nothing else.
import { loadSettings } from "./config/load.ts";
import { beginHearing } from "./hearing.ts";
import { createLogger } from "./observability/log.ts";

export async function serve(): Promise<void> {
  const settings = loadSettings();
  const logger = createLogger(settings.logLevel);
  const hearing = await beginHearing(settings, logger);
  // Read while the recognisers load their models.
  const { composeService } = await import("./compose.ts");
  const service = await composeService(settings, logger, hearing);

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, "stopping");
    service.drain();
    // Whoever sends requests here is given time to notice.
    await new Promise((resolve) => setTimeout(resolve, settings.drainSeconds * 1000));
    const deadline = setTimeout(() => {
      logger.error("parts did not stop in time");
      process.exit(1);
    }, settings.shutdownSeconds * 1000);
    deadline.unref();
    await service.stop();
    logger.info("stopped");
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(signal));

  const giveUp = async (error: Error): Promise<never> => {
    await service.stop();
    throw error;
  };
  const address = await service.api.listen({ port: settings.port, host: settings.host }).catch(giveUp);
  logger.info({ address, model: settings.model, workers: settings.workers }, "serving");
  const shown = address.replace("127.0.0.1", "localhost");
  process.stdout.write(`Parlance serves on ${shown}\n`);
  if (service.madeKey) {
    process.stdout.write(
      `Your account key, shown this once only: ${service.madeKey}\n` +
        `Try it: curl -H 'x-service-key: ${service.madeKey}' -F audio=@recording.mp3 ${shown}/v2/upload\n`,
    );
  }
  try {
    await service.warm();
    logger.info("recognisers are ready");
  } catch (error) {
    // A stop ends the processes that are being started.
    if (!isStopping) await giveUp(error as Error);
  }
}

// parlance models --server: the models of a service.

import type { SpeechModel, SpeechModels } from "../contract/system.ts";
import { errors } from "../platform/errors.ts";
import { askService, type ServiceAddress } from "../platform/net/service-request.ts";
import { sleep } from "../platform/process/sleep.ts";
import { ProgressBar } from "./progress-bar.ts";
import { printJson, printTable } from "./table.ts";

const PATH = "/v2/models";
const POLL_MILLISECONDS = 1_000;

async function modelsOf(service: ServiceAddress): Promise<SpeechModel[]> {
  const content = await askService(service, "GET", PATH);
  return (JSON.parse(content.toString()) as SpeechModels).items;
}

function stateOf({ installed, fetching, failure }: SpeechModel): string {
  if (installed) return "installed";
  if (fetching !== null) return `fetching, ${Math.round(fetching * 100)} %`;
  return failure ?? "can be added";
}

function sizeOf({ bytes, built_in }: SpeechModel): string {
  if (bytes !== null) return `${Math.round(bytes / 1e6)} MB`;
  return built_in ? "in a package" : "not stated";
}

export async function listServiceModels(service: ServiceAddress, json: boolean): Promise<void> {
  const models = await modelsOf(service);
  if (json) return printJson({ models });
  // Some hundred directions can be added; those that are not here and not on their way are one line.
  const isIdle = ({ purpose, installed, fetching, failure }: SpeechModel) =>
    purpose === "translation" && !installed && fetching === null && failure === null;
  printTable(
    ["model", "for", "languages", "size", "licence", "state"],
    models
      .filter((model) => !isIdle(model))
      .map((model) => [
        model.id,
        model.purpose.replace("-", " "),
        String(model.languages),
        sizeOf(model),
        model.licence,
        stateOf(model),
      ]),
  );
  const idle = models.filter(isIdle).length;
  if (idle > 0) process.stdout.write(`\n${idle} translation directions can be added: translate-SOURCE-TARGET\n`);
}

/** Has the service fetch a model of its catalogue, and waits until it is installed. */
export async function addServiceModel(service: ServiceAddress, id: string): Promise<void> {
  await askService(service, "POST", PATH, { id });
  const bar = new ProgressBar();
  try {
    for (;;) {
      const model = (await modelsOf(service)).find((one) => one.id === id);
      if (model?.installed) break;
      if (model?.failure) throw errors.serviceFetchFailed(model.failure);
      if (!model) throw errors.modelNotListed(service.base, id);
      bar.show(`fetching ${id}`, model.fetching ?? 0);
      await sleep(POLL_MILLISECONDS);
    }
  } finally {
    bar.clear();
  }
  process.stdout.write(`${id} is installed on ${service.base}\n`);
}

export async function removeServiceModel(service: ServiceAddress, id: string): Promise<void> {
  await askService(service, "DELETE", `${PATH}/${encodeURIComponent(id)}`);
  process.stdout.write(`removed ${id} from ${service.base}\n`);
}

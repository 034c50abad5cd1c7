// parlance models --server: the models of a service.

import type { SpeechModel, SpeechModels } from "../contract/system.ts";
import { ParlanceError } from "../errors.ts";
import { askService, type ServiceAddress } from "../net/service-request.ts";
import { sleep } from "../process/sleep.ts";
import { ProgressBar } from "./progress-bar.ts";
import { printJson, printTable } from "./table.ts";

const PATH = "/v2/models";
const POLL_MILLISECONDS = 1_000;
const NOT_LISTED = { code: "models.missing", status: 404 };

async function modelsOf(service: ServiceAddress): Promise<SpeechModel[]> {
  const content = await askService(service, "GET", PATH);
  return (JSON.parse(content.toString()) as SpeechModels).items;
}

function stateOf({ installed, fetching, failure }: SpeechModel): string {
  if (installed) return "installed";
  if (fetching !== null) return `fetching, ${Math.round(fetching * 100)} %`;
  return failure ?? "can be added";
}

export async function listServiceModels(service: ServiceAddress, json: boolean): Promise<void> {
  const models = await modelsOf(service);
  if (json) return printJson({ models });
  printTable(
    ["model", "languages", "size", "licence", "state"],
    models.map((model) => [
      model.id,
      String(model.languages),
      model.bytes === null ? "in a package" : `${Math.round(model.bytes / 1e6)} MB`,
      model.licence,
      stateOf(model),
    ]),
  );
}

/** Has the service fetch a model of its catalogue, and waits until it is installed. */
export async function addServiceModel(service: ServiceAddress, id: string): Promise<void> {
  await askService(service, "POST", PATH, { id });
  const bar = new ProgressBar();
  try {
    for (;;) {
      const model = (await modelsOf(service)).find((one) => one.id === id);
      if (model?.installed) break;
      if (model?.failure) throw new ParlanceError(model.failure, { code: "models.fetch_failed", status: 502 });
      if (!model) throw new ParlanceError(`${service.base} fetches ${id}, and does not list it`, NOT_LISTED);
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

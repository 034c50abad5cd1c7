// The models that requests of a kind can use. In one process, these are the installed ones; with several, those of the processes that have the
// role, and those that the object store has for them.
import type { FleetModels } from "./fleet-models.ts";
import type { OtherProcesses, ServingRole } from "./other-processes.ts";
import {
  describedModel,
  isNamed,
  type ModelStore,
  recognizesSpeech,
  type ServedModel,
  type ServedModels,
} from "./store.ts";

interface Parts {
  models: ModelStore;
  roles: ReadonlySet<string>;
  others: OtherProcesses;
  /** Undefined in the only process. */
  fleet: FleetModels | undefined;
}

export class ModelsOfRole implements ServedModels {
  constructor(
    private readonly role: ServingRole,
    private readonly parts: Parts,
  ) {}

  async list(): Promise<readonly ServedModel[]> {
    return (await this.all()).filter(recognizesSpeech);
  }

  async find(name: string): Promise<ServedModel | undefined> {
    return (await this.all()).find((model) => isNamed(model, name));
  }

  /** Every model, those of the program first. */
  async all(): Promise<readonly ServedModel[]> {
    const { models, others, fleet } = this.parts;
    const installed = (await models.all()).map(describedModel);
    if (!fleet) return installed;
    const own = installed.filter(({ manifest }) => this.isHere || manifest === undefined);
    const reported = others.models(this.role, (id) => installed.find((model) => model.id === id));
    const all = [...own, ...reported, ...fleet.copied().map((manifest) => describedModel({ ...manifest, manifest }))];
    // The first one of each id.
    return [...new Map(all.reverse().map((model) => [model.id, model])).values()].reverse();
  }

  /** Whether a process can use the model at present: others may have to copy it first. */
  async isReady(name: string): Promise<boolean> {
    const { models, others } = this.parts;
    if (others.hasModel(this.role, name)) return true;
    const installed = await models.find(name);
    return installed !== undefined && (this.isHere || installed.manifest === undefined);
  }

  /** Whether the models of this process count: it has the role, or no other process reports the role. */
  private get isHere(): boolean {
    const { roles, others, fleet } = this.parts;
    return fleet === undefined || roles.has(this.role) || !others.isRunning(this.role);
  }
}

// Which language model the add-ons use: the one of the settings, else one on this machine that the operator chose in the
// console. The choice is stored in the data folder.
import { rm } from "node:fs/promises";
import path from "node:path";
import type { ChosenModel, FoundServers } from "../../../contract/system.ts";
import { getLocalJson } from "../../../platform/net/local-get.ts";
import type { Disk } from "../../../platform/storage/disk/disk.ts";
import { readPlainFile } from "../../../platform/storage/plain-file.ts";
import type { Quarantine } from "../../../platform/storage/quarantine.ts";
import { isLocal, type LanguageModelServer, type Providers } from "./providers.ts";

/** Default addresses of common language model servers. */
const KNOWN_SERVERS = [
  { name: "Ollama", port: 11_434 },
  { name: "llama.cpp", port: 8080 },
  { name: "llama.cpp", port: 8081 },
  { name: "vLLM", port: 8000 },
  { name: "LM Studio", port: 1234 },
];

type FoundServer = FoundServers["items"][number];

/** @returns undefined if the text is damaged */
function choiceIn(text: string): ChosenModel | undefined {
  try {
    const { url, model } = JSON.parse(text) as ChosenModel;
    return typeof model === "string" && typeof url === "string" && URL.canParse(url) ? { url, model } : undefined;
  } catch {
    return undefined;
  }
}

export class LanguageModelChoice {
  /**
   * @param providers  providers of the add-ons; changed in place
   * @param file       stores the choice
   * @param limits     limits of requests to the chosen model
   * @param ownPort    port of this service, which implements a part of that interface, too, and must not be chosen
   * @param disk       disk of the file
   */
  constructor(
    private readonly providers: Providers,
    private readonly file: string,
    private readonly limits: Pick<LanguageModelServer, "timeoutSeconds" | "mostTokens">,
    private readonly ownPort: number,
    private readonly disk: Disk,
    private readonly quarantine: Quarantine,
  ) {
    this.isConfigured = providers.languageModel !== undefined;
  }

  /** Whether the settings configure a server; choices then have no effect. */
  readonly isConfigured: boolean;

  /** Restores the choice of an earlier process. */
  async load(): Promise<void> {
    if (this.isConfigured) return;
    const text = await readPlainFile(this.file).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? undefined : "",
    );
    if (text === undefined) return;
    const choice = choiceIn(text);
    if (choice) this.use(choice);
    else await this.quarantine.move(this.file, "the chosen language model could not be read; choose it again");
  }

  get current(): ChosenModel | undefined {
    const { languageModel } = this.providers;
    if (!languageModel || isLocal(languageModel)) return undefined;
    return { url: languageModel.url, model: languageModel.model };
  }

  /** Servers on this machine that answer with models. */
  async find(): Promise<FoundServer[]> {
    const found = await Promise.all(
      KNOWN_SERVERS.filter(({ port }) => port !== this.ownPort).map(async ({ name, port }) => {
        const answer = (await getLocalJson({ host: "127.0.0.1", port }, "/v1/models")) as
          | { data?: { id?: unknown }[] }
          | undefined;
        if (!Array.isArray(answer?.data)) return undefined;
        const models = answer.data.map(({ id }) => id).filter((id) => typeof id === "string");
        return models.length === 0 ? undefined : { name, url: `http://127.0.0.1:${port}/v1`, models };
      }),
    );
    return found.filter((server) => server !== undefined);
  }

  /** @returns false when no such model is found on this machine */
  async choose(choice: ChosenModel): Promise<boolean> {
    const servers = await this.find();
    const isThere = servers.some(({ url, models }) => url === choice.url && models.includes(choice.model));
    if (!isThere) return false;
    await this.disk.replace(this.file, JSON.stringify(choice), 0o600);
    this.use(choice);
    return true;
  }

  async forget(): Promise<void> {
    await rm(this.file, { force: true });
    await this.disk.syncFolder(path.dirname(this.file));
    if (!this.isConfigured) delete this.providers.languageModel;
  }

  private use({ url, model }: ChosenModel): void {
    this.providers.languageModel = { url, model, key: "", ...this.limits };
  }
}

// Which language model the add-ons use: the one of the settings, else one on this machine that the operator chose in the
// console. What is chosen is kept in the data folder.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { getLocalJson } from "../../net/local-get.ts";
import type { LanguageModelSettings, Providers } from "./providers.ts";

/** Servers that people run beside this one, where they listen by default. */
const KNOWN_SERVERS = [
  { name: "Ollama", port: 11_434 },
  { name: "llama.cpp", port: 8080 },
  { name: "llama.cpp", port: 8081 },
  { name: "vLLM", port: 8000 },
  { name: "LM Studio", port: 1234 },
];

export interface FoundServer {
  name: string;
  /** Base of its OpenAI-compatible interface. */
  url: string;
  models: string[];
}

interface Choice {
  url: string;
  model: string;
}

export class LanguageModelChoice {
  /**
   * @param providers  what the add-ons are given; changed in place
   * @param file       where the choice is kept
   * @param limits     how long and how much a model may be asked, whichever it is
   * @param ownPort    of this service, which speaks a part of that interface, too
   */
  constructor(
    private readonly providers: Providers,
    private readonly file: string,
    private readonly limits: Pick<LanguageModelSettings, "timeoutSeconds" | "mostTokens">,
    private readonly ownPort: number,
  ) {
    this.isConfigured = providers.languageModel !== undefined;
  }

  /** By the settings: nothing is chosen then. */
  readonly isConfigured: boolean;

  /** Takes up what was chosen before this start. */
  async load(): Promise<void> {
    if (this.isConfigured) return;
    const text = await readFile(this.file, "utf8").catch(() => undefined);
    try {
      if (text !== undefined) this.use(JSON.parse(text) as Choice);
    } catch {
      // Half of a file: nothing is chosen.
    }
  }

  get current(): Choice | undefined {
    const { languageModel } = this.providers;
    return languageModel && { url: languageModel.url, model: languageModel.model };
  }

  /** Servers on this machine that answer with models. */
  async find(): Promise<FoundServer[]> {
    const found = await Promise.all(
      KNOWN_SERVERS.filter(({ port }) => port !== this.ownPort).map(async ({ name, port }) => {
        const answer = (await getLocalJson(port, "/v1/models")) as { data?: { id?: unknown }[] } | undefined;
        if (!Array.isArray(answer?.data)) return undefined;
        const models = answer.data.map(({ id }) => id).filter((id) => typeof id === "string");
        return models.length === 0 ? undefined : { name, url: `http://127.0.0.1:${port}/v1`, models };
      }),
    );
    return found.filter((server) => server !== undefined);
  }

  /** @returns false when no such model is found on this machine */
  async choose(choice: Choice): Promise<boolean> {
    const servers = await this.find();
    const isThere = servers.some(({ url, models }) => url === choice.url && models.includes(choice.model));
    if (!isThere) return false;
    await writeFile(`${this.file}.part`, JSON.stringify(choice), { mode: 0o600 });
    await rename(`${this.file}.part`, this.file);
    this.use(choice);
    return true;
  }

  async forget(): Promise<void> {
    await rm(this.file, { force: true });
    if (!this.isConfigured) delete this.providers.languageModel;
  }

  private use({ url, model }: Choice): void {
    this.providers.languageModel = { url, model, key: "", ...this.limits };
  }
}

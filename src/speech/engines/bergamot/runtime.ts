// Bergamot's WebAssembly runtime for Mozilla's translation models. Its published worker file needs a web worker: here its generated
// loader runs in this process, which must do nothing else. After an abort of the runtime the process has to end.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { compileFunction } from "node:vm";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import { type DirectionFiles, directionFiles } from "./files.ts";
import { webAssembly } from "./web-assembly.ts";

const LOADER = "bergamot-translator-worker.js";
const BINARY = "bergamot-translator-worker.wasm";

interface Deletable {
  delete(): void;
}
interface Vector<Item> extends Deletable {
  push_back(item: Item): void;
}
interface AlignedMemory extends Deletable {
  getByteArrayView(): Int8Array;
}
interface Responses extends Deletable {
  get(index: number): { getTranslatedText(): string };
}
interface Service {
  translate(model: Deletable, texts: Vector<string>, options: Vector<object>): Responses;
  translateViaPivoting(first: Deletable, second: Deletable, texts: Vector<string>, options: Vector<object>): Responses;
}
interface BergamotModule {
  AlignedMemory: new (bytes: number, alignment: number) => AlignedMemory;
  AlignedMemoryList: new () => Vector<AlignedMemory>;
  TranslationModel: new (
    config: string,
    model: AlignedMemory,
    shortlist: AlignedMemory,
    vocabularies: Vector<AlignedMemory>,
    quality: null,
  ) => Deletable;
  BlockingService: new (options: { cacheSize: number }) => Service;
  VectorString: new () => Vector<string>;
  VectorResponseOptions: new () => Vector<object>;
}

/** The binary imports its matrix products so that a browser can supply faster ones; it exports its own under these names. */
const MATRIX_PRODUCTS = {
  int8_prepare_a: "int8PrepareAFallback",
  int8_prepare_b: "int8PrepareBFallback",
  int8_prepare_b_from_transposed: "int8PrepareBFromTransposedFallback",
  int8_prepare_b_from_quantized_transposed: "int8PrepareBFromQuantizedTransposedFallback",
  int8_prepare_bias: "int8PrepareBiasFallback",
  int8_multiply_and_add_bias: "int8MultiplyAndAddBiasFallback",
  int8_select_columns_of_b: "int8SelectColumnsOfBFallback",
} as const;

/** Alignment, in bytes, that Marian requires of each kind of file. */
const ALIGNMENT = { model: 256, shortlist: 64, vocabulary: 64 };

/**
 * Marian's options. Beam, normalisation and penalty are those of the models' published configurations; the limits bound memory:
 * 1,024 words a batch, sentences divided above 128 tokens, translations at most twice as long as their source.
 */
const OPTIONS = [
  "beam-size: 1",
  "normalize: 1.0",
  "word-penalty: 0",
  "cpu-threads: 0",
  "skip-cost: true",
  "alignment: soft",
  "quiet: true",
  "quiet-translation: true",
  "max-length-break: 128",
  "mini-batch-words: 1024",
  "workspace: 128",
  "max-length-factor: 2.0",
];

/** Models named "alphas" hold the quantisation factors of their activations. */
const precisionOf = (model: string) => (/alphas/i.test(model) ? "int8shiftAlphaAll" : "int8shiftAll");

/** @throws Error when the package is not installed or the runtime does not start */
async function startModule(): Promise<BergamotModule> {
  const folder = path.join(packageFolder("@browsermt/bergamot-translator"), "worker");
  const binary = await readFile(path.join(folder, BINARY));
  const loader = await readFile(path.join(folder, LOADER), "utf8");
  return new Promise<BergamotModule>((resolve, reject) => {
    type Exports = Record<string, (...values: unknown[]) => unknown>;
    const instantiateWasm = (imports: Record<string, object>, accept: (instance: object) => void) => {
      let exported: Exports = {};
      const products = Object.fromEntries(
        Object.entries(MATRIX_PRODUCTS).map(([name, own]) => [
          name,
          (...values: unknown[]) => (exported[own] as Exports[string])(...values),
        ]),
      );
      webAssembly.instantiate(binary, { ...imports, wasm_gemm: products }).then(({ instance }) => {
        exported = instance.exports as Exports;
        accept(instance);
      }, reject);
      return {};
    };
    const module = {
      instantiateWasm,
      onRuntimeInitialized: () => resolve(module as unknown as BergamotModule),
      print: () => undefined,
      printErr: (line: string) => process.stderr.write(`${line}\n`),
    };
    const run = compileFunction(loader, ["Module", "require", "__dirname", "__filename"]);
    run(module, createRequire(path.join(folder, LOADER)), folder, path.join(folder, LOADER));
  });
}

export class TranslationRuntime {
  private readonly service: Service;
  private readonly models = new Map<string, Deletable>();

  private constructor(private readonly module: BergamotModule) {
    // Sentences rarely repeat: no cache.
    this.service = new module.BlockingService({ cacheSize: 0 });
  }

  static async start(): Promise<TranslationRuntime> {
    return new TranslationRuntime(await startModule());
  }

  /** Folders of the directions in memory, the one that was used longest ago first. */
  get loaded(): readonly string[] {
    return [...this.models.keys()];
  }

  /**
   * @param folder  with the files of a direction
   * @param names   of all of its files
   * @throws Error when a file is missing
   */
  async load(folder: string, names: readonly string[]): Promise<void> {
    const known = this.models.get(folder);
    if (known) {
      this.models.delete(folder);
      this.models.set(folder, known);
      return;
    }
    const files = directionFiles(names);
    if (!files) throw new Error(`${folder} holds no translation model`);
    this.models.set(folder, await this.open(folder, files));
  }

  free(folder: string): void {
    this.models.get(folder)?.delete();
    this.models.delete(folder);
  }

  /**
   * @param folders  of one direction, or of two: by way of the language between them
   * @param texts    HTML: its elements are transferred to the words that they surround
   * @returns a translation of each, HTML as well
   */
  translate(folders: readonly [string] | readonly [string, string], texts: readonly string[]): string[] {
    const input = new this.module.VectorString();
    const options = new this.module.VectorResponseOptions();
    for (const text of texts) {
      input.push_back(text);
      options.push_back({ alignment: true, html: true, qualityScores: false });
    }
    const [first, second] = folders.map((folder) => this.models.get(folder));
    if (!first) throw new Error("the direction is not loaded");
    const responses = second
      ? this.service.translateViaPivoting(first, second, input, options)
      : this.service.translate(first, input, options);
    const translations = texts.map((_, at) => responses.get(at).getTranslatedText());
    for (const used of [input, options, responses]) used.delete();
    return translations;
  }

  private async open(folder: string, files: DirectionFiles): Promise<Deletable> {
    const place = async (name: string, alignment: number) => {
      const bytes = await readFile(path.join(folder, name));
      const memory = new this.module.AlignedMemory(bytes.length, alignment);
      memory.getByteArrayView().set(bytes);
      return memory;
    };
    const vocabularies = new this.module.AlignedMemoryList();
    for (const name of files.vocabularies) vocabularies.push_back(await place(name, ALIGNMENT.vocabulary));
    const options = [...OPTIONS, `gemm-precision: ${precisionOf(files.model)}`, ""].join("\n");
    const model = await place(files.model, ALIGNMENT.model);
    const shortlist = await place(files.shortlist, ALIGNMENT.shortlist);
    return new this.module.TranslationModel(options, model, shortlist, vocabularies, null);
  }
}

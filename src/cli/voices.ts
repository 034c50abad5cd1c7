// parlance voices: the library of voices of the caller's account, by which results name their speakers.
import path from "node:path";
import type { Command } from "commander";
import type { Voice, Voices } from "../contract/voices.ts";
import { askService, sendFile } from "../platform/net/service-request.ts";
import { foldedName } from "../service/voices/folded-name.ts";
import { addServiceOptions, type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson, printTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

const PATH = "/v2/voices";
const parsed = (content: Buffer): unknown => JSON.parse(content.toString());

async function listed(options: ServiceOptions): Promise<Voice[]> {
  return (parsed(await askService(serviceOf(options), "GET", PATH)) as Voices).items;
}

const hasName = ({ name }: Voice, wanted: string) => foldedName(name) === foldedName(wanted);

/** @param voice  name or id @throws UsageError */
async function idOf(voice: string, options: ServiceOptions): Promise<string> {
  const found = (await listed(options)).find((one) => one.id === voice || hasName(one, voice));
  if (!found) throw new UsageError(`the library has no voice ${voice}; parlance voices list shows them`);
  return found.id;
}

async function enable(options: ServiceOptions): Promise<void> {
  await askService(serviceOf(options), "PUT", `${PATH}/settings`, { enabled: true });
  process.stdout.write("the library of voices is on\n");
}

async function add(name: string, file: string, options: ServiceOptions): Promise<void> {
  const known = (await listed(options)).find((voice) => hasName(voice, name));
  const route = known ? `${PATH}/${known.id}/samples` : PATH;
  const answer = await sendFile(serviceOf(options), route, file, path.basename(file), known ? {} : { name });
  const { id, name: stored, samples } = parsed(answer) as Voice;
  process.stdout.write(`${id}  ${stored}, ${samples.at(-1)?.seconds ?? 0} s of speech\n`);
}

async function list(options: ServiceOptions & { json?: boolean }): Promise<void> {
  const items = await listed(options);
  if (options.json) return printJson(items);
  printTable(
    ["id", "name", "samples", "created"],
    items.map(({ id, name, samples, created_at }) => [id, name, String(samples.length), created_at]),
  );
}

async function rename(voice: string, name: string, options: ServiceOptions): Promise<void> {
  const id = await idOf(voice, options);
  await askService(serviceOf(options), "PATCH", `${PATH}/${id}`, { name });
  process.stdout.write(`${id}  ${name}\n`);
}

async function remove(voice: string, options: ServiceOptions): Promise<void> {
  const id = await idOf(voice, options);
  await askService(serviceOf(options), "DELETE", `${PATH}/${id}`);
  process.stdout.write(`deleted ${voice}, also from the results of jobs\n`);
}

export function addVoices(program: Command): void {
  const voices = program.command("voices").description("Name speakers: the library of voices of your account");
  addServiceOptions(voices.command("enable"))
    .description("Turn the library on; voice prints are biometric data and are stored encrypted")
    .action(enable);
  addServiceOptions(voices.command("add"))
    .description("Add a person from a recording of this person alone, or a sample to one who is there")
    .argument("<name>", "of the person")
    .argument("<file>", "10 s or more of speech")
    .action(add);
  addServiceOptions(voices.command("list"))
    .description("List the people of the library")
    .option("--json", "print JSON")
    .action(list);
  addServiceOptions(voices.command("rename"))
    .description("Rename a person, also in the results of jobs")
    .argument("<voice>", "name or id")
    .argument("<name>", "the new name")
    .action(rename);
  addServiceOptions(voices.command("delete"))
    .description("Delete a person, also from the results of jobs")
    .argument("<voice>", "name or id")
    .action(remove);
}

// parlance jobs: lists, shows and deletes the jobs of a service, and prints transcripts.

import type { Command } from "commander";
import type { JobPage } from "../contract/job.ts";
import { FORMATS, type Format } from "../contract/transcript-formats.ts";
import { ParlanceError, withDetail } from "../platform/errors.ts";
import { askService } from "../platform/net/service-request.ts";
import { addJobActions } from "./job-actions.ts";
import { OutputFiles } from "./output-files.ts";
import { deleteJob, getJob } from "./service-jobs.ts";
import { addServiceOptions, type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson, printTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";
import { unusedWidth, widthOption } from "./width-option.ts";

const STATUSES = ["queued", "processing", "done", "error"];
const KINDS = ["pre-recorded", "live"];

interface ListOptions extends ServiceOptions {
  status?: string;
  kind?: string;
  search?: string;
  tag?: string;
  limit: string;
  json?: boolean;
}

const askJson = async (service: ServiceOptions, path: string): Promise<unknown> =>
  JSON.parse((await askService(serviceOf(service), "GET", path)).toString());

/** @throws UsageError for another value than those */
function oneOf(option: string, text: string, values: readonly string[]): string {
  if (values.includes(text)) return text;
  throw new UsageError(`${option} must be one of ${values.join(", ")}; it is ${text}`);
}

async function list({ status, kind, search, tag, limit, json, ...service }: ListOptions): Promise<void> {
  for (const one of status?.split(",") ?? []) oneOf("--status", one.trim(), STATUSES);
  if (kind !== undefined) oneOf("--kind", kind, KINDS);
  if (!/^[1-9]\d{0,2}$/.test(limit)) throw new UsageError(`--limit must be a whole number from 1; it is ${limit}`);
  const query = new URLSearchParams({ limit });
  if (status) query.set("status", status);
  if (kind) query.set("kind", kind);
  if (search) query.set("search", search);
  if (tag) query.set("tag", tag);
  const page = (await askJson(service, `/v2/transcription?${query}`)) as JobPage;
  if (json) return printJson(page.items);
  printTable(
    ["id", "state", "kind", "created", "seconds", "name", "text"],
    page.items.map(({ id, status, kind, created_at, file, name, error_message, passage, overview }) => [
      id,
      status,
      kind,
      created_at,
      file?.audio_duration?.toFixed(1) ?? "",
      name ?? file?.filename ?? "",
      passage || error_message || overview?.first_words || "",
    ]),
  );
}

async function show(id: string, { json, ...service }: ServiceOptions & { json?: boolean }): Promise<void> {
  const job = await getJob(serviceOf(service), id);
  if (json) return printJson(job);
  const { progress } = job;
  const place = progress?.queue_position ? `place ${progress.queue_position} in the queue` : (progress?.stage ?? "");
  printTable(
    ["", ""],
    [
      ["state", progress ? `${job.status}, ${place}, ${Math.round(progress.share * 100)} %` : job.status],
      ["kind", job.kind],
      ["created", job.created_at],
      ["name", job.name ?? ""],
      ["tags", job.tags?.join(", ") ?? ""],
      ["recording", job.file?.filename ?? ""],
      ...(progress?.fetch?.last_failure
        ? [["fetch", `${progress.fetch.attempts} attempts; ${progress.fetch.last_failure}`]]
        : []),
      ...(job.error_message ? [["error", job.error_message]] : []),
    ],
  );
}

async function transcript(
  id: string,
  {
    format,
    output,
    recognised,
    force,
    maxLineWidth,
    ...service
  }: ServiceOptions & {
    format: string;
    output?: string;
    recognised?: boolean;
    force?: boolean;
    maxLineWidth?: number;
  },
): Promise<void> {
  oneOf("--format", format, FORMATS);
  for (const warning of unusedWidth(maxLineWidth, [format as Format])) process.stderr.write(`parlance: ${warning}\n`);
  if (format === "docx" && !output) throw new UsageError("a docx document goes into a file: name it with --output");
  const query = new URLSearchParams({ format });
  if (recognised) query.set("corrected", "false");
  if (maxLineWidth !== undefined) query.set("maximum_characters_per_row", String(maxLineWidth));
  const path = `/v2/transcription/${encodeURIComponent(id)}/transcript?${query}`;
  const content = await askService(serviceOf(service), "GET", path);
  if (output) await new OutputFiles(force === true).write(output, content);
  else process.stdout.write(content);
}

export function addJobs(program: Command): void {
  const jobs = program.command("jobs").description("Jobs of a service: create, wait, show, download, delete");
  addServiceOptions(jobs.command("list"))
    .description("List jobs, newest first")
    .option("--status <states>", "queued, processing, done, error; comma-separated")
    .option("--kind <kind>", "pre-recorded or live")
    .option("--search <words>", "list only jobs whose transcript, name, file, speakers or tags contain these words")
    .option("--tag <tag>", "list only jobs with this tag")
    .option("--limit <n>", "how many", "20")
    .option("--json", "print JSON")
    .action(list);
  addServiceOptions(jobs.command("show"))
    .description("Show the state of a job")
    .argument("<id>")
    .option("--json", "print JSON, with the result")
    .action(show);
  addServiceOptions(jobs.command("transcript"))
    .description("Print a transcript or write it to a file")
    .argument("<id>")
    .option("-f, --format <format>", FORMATS.join(", "), "txt")
    .option("-o, --output <file>", "file to write instead of printing")
    .option("--max-line-width <columns>", "longest row of srt and vtt; default: 42", widthOption)
    .option("--recognised", "without corrections")
    .option("--force", "replace the file if it exists")
    .action(transcript);
  addServiceOptions(jobs.command("delete"))
    .description("Delete jobs with audio and transcript")
    .argument("<ids...>")
    .action(async (ids: string[], service: ServiceOptions) => {
      for (const id of ids) {
        try {
          await deleteJob(serviceOf(service), id);
          process.stdout.write(`deleted ${id}\n`);
        } catch (error) {
          if (!(error instanceof ParlanceError)) throw error;
          process.stderr.write(`parlance: ${id}: ${withDetail(error.message, error.detail)}\n`);
          process.exitCode = 1;
        }
      }
    });
  addJobActions(jobs);
}

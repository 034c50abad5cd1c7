// parlance jobs: what a service works on and has done.
import type { Command } from "commander";
import { ParlanceError, withDetail } from "../errors.ts";
import { askService } from "../net/service-request.ts";
import { FORMATS } from "../transcripts/formats/format.ts";
import { OutputFiles } from "./output-files.ts";
import { addServiceOptions, type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson, printTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

interface Item {
  id: string;
  status: string;
  kind: string;
  created_at: string;
  error_message: string | null;
  file: { filename: string | null; audio_duration: number | null } | null;
  passage?: string;
  progress?: {
    queue_position: number | null;
    stage: string | null;
    share: number;
    fetch: { attempts: number; last_failure: string | null; next_attempt_at: string | null } | null;
  } | null;
}

interface ListOptions extends ServiceOptions {
  status?: string;
  kind?: string;
  search?: string;
  limit: string;
  json?: boolean;
}

const askJson = async (service: ServiceOptions, path: string): Promise<unknown> =>
  JSON.parse((await askService(serviceOf(service), "GET", path)).toString());

async function list({ status, kind, search, limit, json, ...service }: ListOptions): Promise<void> {
  const query = new URLSearchParams({ limit });
  if (status) query.set("status", status);
  if (kind) query.set("kind", kind);
  if (search) query.set("search", search);
  const page = (await askJson(service, `/v2/transcription?${query}`)) as { items: Item[] };
  if (json) return printJson(page.items);
  printTable(
    ["id", "state", "kind", "created", "seconds", "name"],
    page.items.map(({ id, status, kind, created_at, file, error_message, passage }) => [
      id,
      status,
      kind,
      created_at,
      file?.audio_duration?.toFixed(1) ?? "",
      passage ?? error_message ?? file?.filename ?? "",
    ]),
  );
}

async function show(id: string, { json, ...service }: ServiceOptions & { json?: boolean }): Promise<void> {
  const job = (await askJson(service, `/v2/transcription/${id}`)) as Item & {
    result: unknown;
  };
  if (json) return printJson(job);
  const { progress } = job;
  const place = progress?.queue_position ? `place ${progress.queue_position} in the queue` : (progress?.stage ?? "");
  printTable(
    ["", ""],
    [
      ["state", progress ? `${job.status}, ${place}, ${Math.round(progress.share * 100)} %` : job.status],
      ["kind", job.kind],
      ["created", job.created_at],
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
    ...service
  }: ServiceOptions & { format: string; output?: string; recognised?: boolean; force?: boolean },
): Promise<void> {
  if (!(FORMATS as readonly string[]).includes(format)) {
    throw new UsageError(`--format must be one of ${FORMATS.join(", ")}; it is ${format}`);
  }
  if (format === "docx" && !output) throw new UsageError("a docx document goes into a file: name it with --output");
  const query = `format=${format}${recognised ? "&corrected=false" : ""}`;
  const content = await askService(serviceOf(service), "GET", `/v2/transcription/${id}/transcript?${query}`);
  if (output) await new OutputFiles(force === true).write(output, content);
  else process.stdout.write(content);
}

export function addJobs(program: Command): void {
  const jobs = program.command("jobs").description("What a service works on and has done");
  addServiceOptions(jobs.command("list"))
    .description("List jobs, newest first")
    .option("--status <states>", "queued, processing, done, error; comma-separated")
    .option("--kind <kind>", "pre-recorded or live")
    .option("--search <words>", "that the transcript contains")
    .option("--limit <n>", "how many", "20")
    .option("--json", "print JSON")
    .action(list);
  addServiceOptions(jobs.command("show"))
    .description("Where a job stands")
    .argument("<id>")
    .option("--json", "print JSON, with the result")
    .action(show);
  addServiceOptions(jobs.command("transcript"))
    .description("Take a transcript away")
    .argument("<id>")
    .option("-f, --format <format>", FORMATS.join(", "), "txt")
    .option("-o, --output <file>", "write there instead of printing")
    .option("--recognised", "without corrections")
    .option("--force", "replace the file if it exists")
    .action(transcript);
  addServiceOptions(jobs.command("delete"))
    .description("Delete jobs with audio and transcript")
    .argument("<ids...>")
    .action(async (ids: string[], service: ServiceOptions) => {
      for (const id of ids) {
        try {
          await askService(serviceOf(service), "DELETE", `/v2/transcription/${encodeURIComponent(id)}?cancel=true`);
          process.stdout.write(`deleted ${id}\n`);
        } catch (error) {
          if (!(error instanceof ParlanceError)) throw error;
          process.stderr.write(`parlance: ${id}: ${withDetail(error.message, error.detail)}\n`);
          process.exitCode = 1;
        }
      }
    });
}

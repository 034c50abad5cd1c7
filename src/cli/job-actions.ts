// parlance jobs create, wait, audio and open.

import path from "node:path";
import type { Command } from "commander";
import { socketOf } from "../platform/config/listen-address.ts";
import { errors, ParlanceError } from "../platform/errors.ts";
import { openContent, type ServiceAddress } from "../platform/net/service-request.ts";
import { openInBrowser } from "./browser.ts";
import { OutputFiles } from "./output-files.ts";
import { ProgressBar } from "./progress-bar.ts";
import { addRequestOptions, type RequestOptions, requestOf } from "./request-options.ts";
import { createJob, endOfJob, getJob } from "./service-jobs.ts";
import { addServiceOptions, type ServiceOptions, serviceOf } from "./service-options.ts";
import { warningsOf } from "./transcribe-report.ts";
import { UsageError } from "./usage-error.ts";

const STANDARD_OUTPUT = "-";

/** @param job  id @param warnings  one line each */
function warn(job: string, warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`parlance: ${job}: ${warning}\n`);
}

/** Waits for all of them. Exit code 1 if one has failed. */
async function wait(service: ServiceAddress, ids: readonly string[], isQuiet: boolean): Promise<void> {
  const bar = new ProgressBar(!isQuiet);
  for (const id of ids) {
    try {
      const job = await endOfJob(service, id, (stage, share) => bar.show(`${id}: ${stage}`, share));
      bar.clear();
      if (job.status === "error") throw errors.serviceJobFailed(job.error_message ?? "failed");
      if (!isQuiet && job.result) warn(id, warningsOf(job.result));
      process.stdout.write(`${id} ${job.status}\n`);
    } catch (error) {
      bar.clear();
      if (!(error instanceof ParlanceError)) throw error;
      process.stderr.write(`parlance: ${id}: ${error.message}\n`);
      process.exitCode = 1;
    }
  }
}

type CreateOptions = RequestOptions & ServiceOptions & { wait?: boolean; quiet?: boolean };

async function create(source: string, options: CreateOptions): Promise<void> {
  const service = serviceOf(options);
  const { id, warnings = [] } = await createJob(service, source, requestOf(options));
  // The result has the warnings about the request, too.
  if (options.wait) return wait(service, [id], options.quiet === true);
  if (!options.quiet) warn(id, warnings);
  process.stdout.write(`${id}\n`);
}

type AudioOptions = ServiceOptions & { output?: string; force?: boolean };

async function audio(id: string, { output, force, ...options }: AudioOptions): Promise<void> {
  const service = serviceOf(options);
  const { kind, file } = await getJob(service, id);
  // The name comes from another machine: no folders of it are used.
  const name = path.basename((file?.filename ?? "").replaceAll("\\", "/")) || `${id}.audio`;
  const target = output ?? name;
  if (target === STANDARD_OUTPUT && process.stdout.isTTY) {
    throw new UsageError("audio is not written to a terminal: name a file with --output, or redirect it");
  }
  const content = await openContent(service, `/v2/${kind}/${encodeURIComponent(id)}/file`);
  if (target === STANDARD_OUTPUT) {
    for await (const chunk of content) {
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
    return;
  }
  await new OutputFiles(force === true).write(target, content);
  process.stdout.write(`${target}\n`);
}

async function open(id: string, { print, ...options }: ServiceOptions & { print?: boolean }): Promise<void> {
  const service = serviceOf(options);
  if (socketOf(service.base) !== undefined) {
    throw new UsageError("a browser cannot open a Unix socket: name the http address with --server");
  }
  await getJob(service, id);
  const address = `${service.base}/jobs/${encodeURIComponent(id)}`;
  process.stdout.write(`${address}\n`);
  if (print) return;
  await openInBrowser(address);
}

export function addJobActions(jobs: Command): void {
  const creation = addServiceOptions(jobs.command("create"))
    .description("Create a job and print its id")
    .argument("<source>", "a file, or an address that the service fetches");
  addRequestOptions(creation)
    .option("--wait", "wait until it is done; exit code 1 if it fails")
    .option("-q, --quiet", "show no progress")
    .action(create);
  addServiceOptions(jobs.command("wait"))
    .description("Wait until jobs are done; exit code 1 if one fails")
    .argument("<ids...>")
    .option("-q, --quiet", "show no progress")
    .action((ids: string[], options: ServiceOptions & { quiet?: boolean }) =>
      wait(serviceOf(options), ids, options.quiet === true),
    );
  addServiceOptions(jobs.command("audio"))
    .description("Download the recording of a job")
    .argument("<id>")
    .option("-o, --output <file>", "file to write, - for standard output; default: the name of the recording")
    .option("--force", "replace the file if it exists")
    .action(audio);
  addServiceOptions(jobs.command("open"))
    .description("Open a job in the console, in the browser")
    .argument("<id>")
    .option("--print", "print the address only")
    .action(open);
}

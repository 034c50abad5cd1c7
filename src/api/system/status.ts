// Version and load of the service, and the language model of this machine that add-ons use.

import os from "node:os";
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import { ChosenModel, FoundServers, StatusBody, type SystemStatus } from "../../contract/system.ts";
import { availableCores, availableMemory } from "../../platform/config/container-limits.ts";
import { ROLES } from "../../platform/config/settings.ts";
import { errors } from "../../platform/errors.ts";
import { countByStatus } from "../../platform/storage/db/jobs/jobs.ts";
import { queueStateOf } from "../../platform/storage/db/jobs/queue-state.ts";
import { isOperator, operatorOnly } from "../../service/accounts/operator.ts";
import type { Api, ApiContext } from "../context.ts";

/** Only the operator receives the address of the language model. */
function shown({ url, model }: ChosenModel, account: { name: string }): ChosenModel {
  return { url: isOperator(account) ? url : "", model };
}

const hundredths = (value: number) => Math.round(value * 100) / 100;

type Context = Pick<
  ApiContext,
  | "database"
  | "isOnlyProcess"
  | "isReady"
  | "languageModel"
  | "live"
  | "recognition"
  | "roles"
  | "settings"
  | "space"
  | "throughput"
  | "worker"
>;

/** @returns what only the operator receives: it concerns all accounts */
function machineOf({ database, isOnlyProcess, settings, space, throughput, worker }: Context) {
  const queue = queueStateOf(database);
  return async (): Promise<SystemStatus["machine"]> => {
    const { everywhere: speed } = throughput;
    return {
      // The operator looks here for the cause of a failed disk.
      disk_free: await space.free().catch(() => null),
      disk_reserve: settings.reserveBytes,
      jobs: (await queue()).counts,
      jobs_capacity: isOnlyProcess ? worker.options.concurrency.process : null,
      audio_speed: speed === undefined ? null : hundredths(speed),
    };
  };
}

export function addStatus(app: Api, context: Context, version: string): void {
  const { recognition, live, settings, database, languageModel } = context;
  const machine = machineOf(context);
  app.get(
    "/v2/system",
    {
      schema: {
        tags: ["System"],
        summary: "What runs here, and how busy it is",
        response: { 200: StatusBody, ...errorResponses(401) },
      },
    },
    async ({ account }): Promise<SystemStatus> => {
      const cores = availableCores();
      const liveLoad = live.capacity.report;
      const everywhere = live.capacity.everywhere;
      return {
        version,
        ready: context.isReady(),
        cores,
        recognizers: settings.workers,
        load: {
          live_sessions: everywhere.sessions,
          live_capacity: everywhere.capacity,
          live_audio: hundredths(liveLoad.audio),
          live_audio_capacity: hundredths(liveLoad.audioCapacity),
          waiting_segments: recognition.waiting,
          final_delay: Math.round(recognition.finalDelay * 1000) / 1000,
          processor: hundredths((os.loadavg()[0] ?? 0) / cores),
          memory_free: availableMemory().free,
        },
        jobs: await countByStatus(database, account.id),
        model: settings.model,
        multilingual_model: settings.multilingualModel,
        language_model: languageModel.current ? shown(languageModel.current, account) : null,
        is_operator: isOperator(account),
        machine: isOperator(account) ? await machine() : null,
      };
    },
  );
  app.get(
    "/v2/system/language-models",
    {
      schema: {
        tags: ["System"],
        summary: "Language models that run on this machine",
        description: "Looks for Ollama, llama.cpp, vLLM and LM Studio where they listen by default.",
        response: { 200: FoundServers, ...errorResponses(401, 403) },
      },
    },
    async ({ account }) => {
      operatorOnly(account);
      return { items: await languageModel.find() };
    },
  );
  app.put(
    "/v2/system/language-model",
    {
      schema: {
        tags: ["System"],
        summary: "Have add-ons use a language model of this machine",
        body: ChosenModel,
        response: { 200: ChosenModel, ...errorResponses(400, 401, 403, 409, 413, 415) },
      },
    },
    async ({ account, body }) => {
      operatorOnly(account);
      if (languageModel.isConfigured) throw errors.languageModelConfigured();
      // The choice is stored in the data folder of this process; the add-ons run in those with the roles worker and live.
      if (ROLES.some((role) => !context.roles.has(role))) throw errors.languageModelOfOneProcess();
      if (!(await languageModel.choose(body))) {
        throw errors.invalidParameters([
          "url and model must name one of the language models that GET /v2/system/language-models finds",
        ]);
      }
      return body;
    },
  );
  app.delete(
    "/v2/system/language-model",
    {
      schema: {
        tags: ["System"],
        summary: "Use no language model any more",
        response: {
          202: noContent("Add-ons go by rules again"),
          ...errorResponses(400, 401, 403, 409, 413, 415),
        },
      },
    },
    async ({ account }, reply) => {
      operatorOnly(account);
      if (languageModel.isConfigured) throw errors.languageModelConfigured();
      await languageModel.forget();
      return reply.code(202).send(undefined as never);
    },
  );
}

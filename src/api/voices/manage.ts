// The library of voices of an account: turn it on and off, list, rename, merge, delete, export.
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import {
  VoiceBody,
  VoiceExport,
  VoiceMerge,
  VoiceParams,
  VoiceRename,
  VoiceSettings,
  VoiceSettingsChange,
  VoicesBody,
} from "../../contract/voices.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import type { Api, ApiContext } from "../context.ts";
import { prepare } from "../validation/prepare.ts";
import { cleanName, voiceBody, voiceExport } from "./voice-body.ts";

const EXTENSION = "An extension of the interface.";

export function addVoices(app: Api, { voices }: Pick<ApiContext, "voices">): void {
  app.get(
    "/v2/voices/settings",
    {
      schema: {
        tags: ["Voices"],
        summary: "Whether the library of voices is on",
        description: EXTENSION,
        response: { 200: VoiceSettings, ...errorResponses(401) },
      },
    },
    async ({ account }) => ({ enabled: await voices.isOn(account.id) }),
  );
  app.put(
    "/v2/voices/settings",
    {
      schema: {
        tags: ["Voices"],
        summary: "Turn the library of voices on or off",
        description: `${EXTENSION} Voice prints are biometric data: the library is off until the account turns it on, needs PARLANCE_SECRETS_KEY, and stores them encrypted. Turning it off deletes every voice.`,
        body: VoiceSettingsChange,
        response: { 200: VoiceSettings, ...errorResponses(400, 401, 409, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(VoiceSettingsChange, request.body) as never;
      },
    },
    async ({ account, body: { enabled, delete_voices } }) => {
      if (enabled) await voices.turnOn(account.id);
      else {
        const count = await voices.count(account.id);
        if (count > 0 && delete_voices !== true) throw errors.voicesStored(count);
        await voices.turnOff(account.id);
      }
      return { enabled };
    },
  );
  app.get(
    "/v2/voices",
    {
      schema: {
        tags: ["Voices"],
        summary: "The people of the library, oldest first",
        description: EXTENSION,
        response: { 200: VoicesBody, ...errorResponses(401, 409, 503) },
      },
    },
    async ({ account }) => {
      await voices.requireOn(account.id);
      return { items: (await voices.list(account.id)).map(voiceBody) };
    },
  );
  app.get(
    "/v2/voices/export",
    {
      schema: {
        tags: ["Voices"],
        summary: "The whole library with its voice prints, not encrypted",
        description: EXTENSION,
        operationId: "exportVoices",
        response: { 200: VoiceExport, ...errorResponses(401, 409, 503) },
      },
    },
    async ({ account }, reply) => {
      await voices.requireOn(account.id);
      reply.header("cache-control", "no-store");
      return { items: (await voices.list(account.id)).map(voiceExport) };
    },
  );

  /** @throws request.not_found */
  const current = async (accountId: string, id: string) => {
    const voice = (await voices.list(accountId)).find((one) => one.id === id);
    if (!voice) throw errors.notFound("Voice");
    return voiceBody(voice);
  };
  app.patch(
    "/v2/voices/:id",
    {
      schema: {
        tags: ["Voices"],
        summary: "Rename a person, also in the results of jobs",
        description: EXTENSION,
        params: VoiceParams,
        body: VoiceRename,
        response: { 200: VoiceBody, ...errorResponses(400, 401, 404, 409, 413, 415, 503) },
      },
      preValidation: async (request) => {
        request.body = prepare(VoiceRename, request.body) as never;
      },
    },
    async ({ account, params: { id }, body }) => {
      if (!isUuid(id)) throw errors.notFound("Voice");
      await voices.requireOn(account.id);
      const name = cleanName(body.name);
      if (name === "") throw errors.invalidParameters(["name must not be empty"]);
      await voices.rename(account.id, id, name);
      return current(account.id, id);
    },
  );
  app.post(
    "/v2/voices/:id/merge",
    {
      schema: {
        tags: ["Voices"],
        summary: "Make another voice a part of this one",
        description: `${EXTENSION} Its samples and its names in results become those of this voice; the other voice is deleted.`,
        params: VoiceParams,
        body: VoiceMerge,
        response: { 200: VoiceBody, ...errorResponses(400, 401, 404, 409, 413, 415, 503) },
      },
      preValidation: async (request) => {
        request.body = prepare(VoiceMerge, request.body) as never;
      },
    },
    async ({ account, params: { id }, body: { voice_id: other } }) => {
      if (!isUuid(id)) throw errors.notFound("Voice");
      await voices.requireOn(account.id);
      if (other === id) throw errors.invalidParameters(["voice_id must be another voice"]);
      await voices.merge(account.id, id, other);
      return current(account.id, id);
    },
  );
  app.delete(
    "/v2/voices/:id",
    {
      schema: {
        tags: ["Voices"],
        summary: "Delete a person, and the name in the results of all jobs",
        description: EXTENSION,
        params: VoiceParams,
        response: { 202: noContent("Deleted"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async ({ account, params: { id } }, reply) => {
      if (!isUuid(id)) throw errors.notFound("Voice");
      await voices.remove(account.id, id);
      return reply.code(202).send(undefined as never);
    },
  );
}

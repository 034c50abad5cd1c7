// Accepts the request for a recorded job: in our own form, or another interface's in that form.
import type { FastifyRequest } from "fastify";
import { effectiveLanguages, type PreRecordedBody } from "../../contract/pre-recorded.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import { parseUrl } from "../../platform/addresses/web-url.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { requestedTags } from "../../platform/storage/db/jobs/job-tags.ts";
import type { NewJob } from "../../platform/storage/db/jobs/new-job.ts";
import { acceptRecorded } from "../../service/jobs/accept.ts";
import { chooseModel } from "../../service/models/choose-model.ts";
import { languageRequestOf } from "../../service/models/speech-plan.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { type ApiContext, publicBase, requestIdOf } from "../context.ts";

export type AcceptContext = Pick<
  ApiContext,
  | "database"
  | "forwarding"
  | "recordingModels"
  | "newId"
  | "now"
  | "queue"
  | "settings"
  | "space"
  | "voices"
  | "waitingForModels"
>;

/** Behind any prefix: a reverse proxy may have removed or added one since the upload. */
const FILE_PATH = /^(.*)\/file\/([^/]{36})\/?$/;

/**
 * Finds the uploaded file that an address names. Scheme and host do not matter: a proxy may have changed them.
 * @returns id of the file; undefined for an address of another host
 * @throws file.unknown when the address is one of this service and names no file of this account
 */
async function uploadedFile(
  audioUrl: string,
  request: FastifyRequest,
  { database, forwarding }: Pick<ApiContext, "database" | "forwarding">,
): Promise<string | undefined> {
  const url = parseUrl(audioUrl);
  const [, prefix = "", id] = FILE_PATH.exec(url?.pathname ?? "") ?? [];
  if (!url || !id) return undefined;
  const file = isUuid(id) ? await findFile(database, id) : undefined;
  if (file?.account_id === request.account.id && !file.audio_deleted_at) return file.id;
  const own = parseUrl(publicBase(request, { forwarding }));
  const ownPrefixes = ["", own?.pathname.replace(/\/$/, ""), request.clientView.prefix];
  if (url.host === own?.host && ownPrefixes.includes(prefix)) throw errors.unknownFile();
  return undefined;
}

/** @returns a sentence if the address of a recording is refused before it is looked up */
export function audioAddressProblem(audioUrl: string, allowsPrivate: boolean): string | undefined {
  // An address that may be one of an uploaded file is checked after the look-up of the file.
  if (FILE_PATH.test(parseUrl(audioUrl)?.pathname ?? "")) return undefined;
  const refused = refusedUrl(FetchAddress.of(audioUrl).shown, allowsPrivate);
  return refused === undefined ? undefined : `audio_url ${refused}`;
}

/**
 * Stores the job, which is then in the queue.
 * @param internal  stored with the parameters; `shownParameters` leaves it out
 * @returns its id and model
 * @throws what the request is refused for; nothing is stored then
 */
export async function acceptRequest(
  request: FastifyRequest,
  body: PreRecordedBody,
  warnings: readonly string[],
  context: AcceptContext,
  internal: object = {},
): Promise<{ id: string; audioUrl: string }> {
  await context.space.check();
  if (body.diarization && body.diarization_config?.identify_speakers)
    await context.voices.requireOn(request.account.id);
  const wanted = { model: body.model ?? DEFAULT_MODEL, language_config: effectiveLanguages(body) };
  const { model, isInstalled } = await chooseModel(languageRequestOf(wanted), {
    models: context.recordingModels,
    settings: context.settings,
  });
  const fileId = await uploadedFile(body.audio_url, request, context);
  const address = FetchAddress.of(body.audio_url);
  const foreign = fileId ? undefined : refusedUrl(address.shown, context.settings.allowPrivateAddresses);
  if (foreign) throw errors.invalidParameters([`audio_url ${foreign}`]);
  const id = context.newId();
  const { custom_metadata, tags, ...given } = body;
  const noted = warnings.length > 0 ? { warnings: [...warnings] } : {};
  const job: NewJob = {
    trace: request.span?.trace,
    id,
    accountId: request.account.id,
    kind: "pre-recorded",
    model,
    createdAt: context.now(),
    params: { ...given, audio_url: address.shown, ...wanted, ...noted, ...internal },
    audioUrl: address,
    ...(custom_metadata ? { metadata: custom_metadata } : {}),
    ...(tags ? { tags: requestedTags("tags", tags) } : {}),
    ...(fileId ? { fileId } : {}),
  };
  await acceptRecorded(job, isInstalled, context);
  request.publicRequestId = requestIdOf(id);
  return { id, audioUrl: address.shown };
}

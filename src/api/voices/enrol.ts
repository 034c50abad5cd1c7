// POST /v2/voices adds a person, and POST /v2/voices/:id/samples a sample of one: from a recording, or from a speaker of a finished job.

import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { errorResponses } from "../../contract/errors.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import {
  HIGHEST_SPEAKER,
  MOST_PERSON_NAME_CHARACTERS,
  MOST_UTTERANCES,
  SampleForm,
  SampleOfJob,
  VoiceBody,
  VoiceForm,
  VoiceOfJob,
  VoiceParams,
} from "../../contract/voices.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import { fileWithAudio, findJobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import { decodedBytes, MOST_ENROLMENT_SECONDS } from "../../service/voices/enrolment-audio.ts";
import type { ModelVoice } from "../../service/voices/library.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { formParts } from "../form-parts.ts";
import { FileOfForm } from "../receive-file.ts";
import { prepare } from "../validation/prepare.ts";
import { shownPath } from "../validation/text.ts";
import { UnknownFields } from "../validation/unknown-fields.ts";
import { cleanName, voiceBody } from "./voice-body.ts";

type EnrolmentContext = Pick<
  ApiContext,
  | "database"
  | "decoders"
  | "enroller"
  | "newId"
  | "objects"
  | "results"
  | "settings"
  | "space"
  | "transcriptProcess"
  | "voices"
>;

/** Names under which clients send the file. */
const PART_NAMES = ["audio", "file"];

interface Enrolled {
  /** Undefined where the request is about an existing voice. */
  name: string | undefined;
  voice: ModelVoice;
  /** The speaker of a job who has this voice, if the request names one. */
  ofJob?: { id: string; speaker: number };
}

function refuseName(name: string, problems: string[]): void {
  if (name === "") problems.push("name is required: how the person is called");
  if (name.length > MOST_PERSON_NAME_CHARACTERS)
    problems.push(`name must not be longer than ${MOST_PERSON_NAME_CHARACTERS} characters`);
}

async function fromForm(
  request: FastifyRequest,
  signal: AbortSignal,
  isNamed: boolean,
  { objects, space, settings, enroller, newId }: EnrolmentContext,
): Promise<Enrolled> {
  const key = audioKey(newId());
  const file = new FileOfForm({ objects, space }, key, limitsOf(request.account, settings).uploadBytes);
  const problems: string[] = [];
  let name = "";
  try {
    for await (const part of formParts(request)) {
      if (part.kind === "field") {
        if (part.name === "name" && isNamed) name = cleanName(part.value);
        else problems.push(`${shownPath([part.name])} is not a field of this request`);
      } else if (PART_NAMES.includes(part.name)) await file.take(part);
      else {
        part.content.resume();
        problems.push(`${shownPath([part.name])} must not be a file; send the recording as the part named audio`);
      }
    }
    if (isNamed) refuseName(name, problems);
    const stored = file.result("audio", problems);
    if (problems.length > 0 || !stored) throw errors.invalidParameters(problems);
    const source = {
      ...{ tenant: request.account.id, filename: stored.filename, signal },
      bytes: decodedBytes(MOST_ENROLMENT_SECONDS, 1),
    };
    const voice = await objects.whileCopied(key, (path) => enroller.ofRecording({ ...source, path }));
    return { name: isNamed ? name : undefined, voice };
  } finally {
    await objects.remove(key);
  }
}

const isCount = (value: unknown, most: number) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

/** @throws request.invalid naming every bad field */
function bodyOfJob(request: FastifyRequest, isNamed: boolean): VoiceOfJob {
  const unknown = new UnknownFields();
  const given = prepare(isNamed ? VoiceOfJob : SampleOfJob, request.body ?? {}, unknown) as Record<string, unknown>;
  const problems = unknown.problems();
  const { name, job_id, speaker, utterances } = given;
  const clean = typeof name === "string" ? cleanName(name) : "";
  if (isNamed) refuseName(clean, problems);
  if (typeof job_id !== "string")
    problems.push("job_id is required: a finished job. Or send a form with the file audio");
  if ((speaker === undefined) === (utterances === undefined)) problems.push("either speaker or utterances is required");
  if (speaker !== undefined && !isCount(speaker, HIGHEST_SPEAKER))
    problems.push("speaker must be a number of a speaker");
  const isList = Array.isArray(utterances) && utterances.length > 0 && utterances.length <= MOST_UTTERANCES;
  if (utterances !== undefined && !(isList && utterances.every((one) => isCount(one, Number.MAX_SAFE_INTEGER)))) {
    problems.push(`utterances must be a list of 1 to ${MOST_UTTERANCES} indexes of utterances`);
  }
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return { ...(given as SampleOfJob), name: clean };
}

async function fromJob(
  request: FastifyRequest,
  signal: AbortSignal,
  isNamed: boolean,
  context: EnrolmentContext,
): Promise<Enrolled> {
  const { database, objects, results, transcriptProcess, enroller, settings } = context;
  const body = bodyOfJob(request, isNamed);
  const { speaker, utterances } = body;
  const name = isNamed ? body.name : undefined;
  const row = isUuid(body.job_id) ? await findJobWithFile(database, body.job_id) : undefined;
  if (!row || row.account_id !== request.account.id) throw errors.notFound("Job");
  const tenant = request.account.id;
  const part = utterances === undefined ? { speaker: speaker ?? 0 } : { utterances };
  const found = await transcriptProcess.stretches(
    { tenant, signal },
    { result: await results.path(row), corrections: () => printedCorrections(database, row.id) },
    part,
  );
  if (found.stretches.length === 0)
    throw errors.voiceRefused("this part of the transcript has no speech of one person");
  const file = fileWithAudio(row);
  if (!file || (await objects.size(file.object_key)) === undefined) throw errors.voiceAudioGone();
  const track = parseJobParameters(row.request_params).audio_track;
  const source = {
    ...{ tenant, filename: file.filename, maximumSeconds: settings.maximumAudioSeconds, signal },
    ...(track === undefined ? {} : { track }),
    bytes: decodedBytes(file.audio_duration ?? 0, file.number_of_channels ?? 1),
  };
  const voice = await objects.whileCopied(file.object_key, (path) =>
    enroller.ofStretches({ ...source, path }, found.stretches),
  );
  return { name, voice, ...(found.speaker === undefined ? {} : { ofJob: { id: row.id, speaker: found.speaker } }) };
}

export function addEnrolment(app: Api, context: EnrolmentContext): void {
  const { voices } = context;
  const described = (form: TSchema, json: TSchema) => ({
    // The handler validates both kinds of bodies.
    acceptsUnknownFields: true,
    describedBodies: { "multipart/form-data": form, "application/json": json },
  });
  const response = { 201: VoiceBody, ...errorResponses(400, 401, 404, 409, 413, 415, 422, 503, 507) };
  const description =
    "An extension of the interface. Refused if the recording has several voices, music, or less than 4 s of speech. Only the voice print is kept, encrypted.";

  /** Stores the voice of the request, and returns the body of the answer. */
  const enrol = async (request: FastifyRequest, gone: AbortSignal, existing: string | undefined) => {
    const { id: accountId } = request.account;
    if (existing !== undefined && !isUuid(existing)) throw errors.notFound("Voice");
    await voices.requireOn(accountId);
    await context.space.check();
    context.decoders.checkRoom(accountId);
    const isKnown = existing === undefined || (await voices.list(accountId)).some(({ id }) => id === existing);
    if (!isKnown) throw errors.notFound("Voice");
    const read = request.isMultipart() ? fromForm : fromJob;
    const { name, voice, ofJob } = await read(request, gone, existing === undefined, context);
    const person = existing === undefined ? { name: name ?? "" } : { id: existing };
    const id = await voices.enrol(accountId, person, voice, ofJob);
    const stored = (await voices.list(accountId)).find((one) => one.id === id);
    if (!stored) throw errors.notFound("Voice");
    return voiceBody(stored);
  };

  app.post(
    "/v2/voices",
    {
      config: described(VoiceForm, VoiceOfJob),
      schema: { tags: ["Voices"], summary: "Add a person from a recording or from a job", description, response },
    },
    async (request, reply) => reply.code(201).send(await enrol(request, clientGone(reply), undefined)),
  );
  app.post(
    "/v2/voices/:id/samples",
    {
      config: described(SampleForm, SampleOfJob),
      schema: { tags: ["Voices"], summary: "Add a sample to a person", description, params: VoiceParams, response },
    },
    async (request, reply) => reply.code(201).send(await enrol(request, clientGone(reply), request.params.id)),
  );
}

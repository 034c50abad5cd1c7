// The request of a job, joined with that of add-ons that are made later.
import type { JobParameters } from "../../../contract/job-parameters.ts";
import { requestedLater } from "../../../contract/later-add-ons.ts";

type Config = NonNullable<JobParameters["diarization_config"]>;

/**
 * Settings of speakers that are found later. The numbers of speakers belong together: if the later request gives one, all former numbers are
 * dropped, because both could contradict each other. Other settings of the job stay, such as `identify_speakers`, which no later request has.
 * Pure.
 */
function joinedDiarization(before: Config | undefined, added: Config | undefined): Config | undefined {
  if (!before || !added) return added ?? before;
  const { number_of_speakers: _, min_speakers: __, max_speakers: ___, ...others } = before;
  const { number_of_speakers, min_speakers, max_speakers } = added;
  const hasNumbers = [number_of_speakers, min_speakers, max_speakers].some((number) => number !== undefined);
  return { ...(hasNumbers ? others : before), ...added };
}

/** Parameters with which add-ons are made later. @param before  of the job @param added  of the add-ons. Pure */
export function laterParams(before: JobParameters, added: JobParameters): JobParameters {
  const config = joinedDiarization(before.diarization_config, added.diarization_config);
  return { ...before, ...requestedLater(added), ...(config === undefined ? {} : { diarization_config: config }) };
}

interface RequestOfJob {
  /** As it is stored. */
  request: object;
  /** With defaults. */
  params: JobParameters;
}

/** The request with which the job would have the add-ons from the start. @param made  names of the add-ons that were made. Pure */
export function jointRequest(
  { request, params: before }: RequestOfJob,
  added: JobParameters,
  made: readonly string[],
): object {
  const given = Object.entries(requestedLater(added)).filter(
    ([name]) => made.includes(name) || made.includes(name.replace(/_config$/, "")),
  );
  const joint: Record<string, unknown> = { ...request, ...Object.fromEntries(given) };
  if (made.includes("diarization") && added.diarization_config)
    joint["diarization_config"] = joinedDiarization(before.diarization_config, added.diarization_config);
  if (made.includes("translation")) {
    const languages = [before, added].flatMap(({ translation_config }) => translation_config?.target_languages ?? []);
    joint["translation_config"] = { ...added.translation_config, target_languages: [...new Set(languages)] };
  }
  return joint;
}

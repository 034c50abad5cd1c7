// Judges requests for live sessions: bodies of POST /v2/live, and those that dialects make of the parameters of a connection.
import { LiveBody, MOST_OPUS_CHANNELS, opusFrameProblems, turnSilenceProblems } from "../../contract/live.ts";
import { errors } from "../../platform/errors.ts";
import { refusedSource, refusedUrl } from "../../platform/net/address-rules.ts";
import { ineffectiveLiveFields } from "../ineffective-fields.ts";
import { speakerCountProblems } from "../speaker-counts.ts";
import { problemFinder } from "../validation/compiler.ts";
import { prepare } from "../validation/prepare.ts";
import { textProblems } from "../validation/text.ts";
import { UnknownFields } from "../validation/unknown-fields.ts";

const CONFIGS_WITH_DATA = [
  ["custom_vocabulary", "custom_vocabulary_config", "vocabulary"],
  ["custom_spelling", "custom_spelling_config", "spelling_dictionary"],
  ["translation", "translation_config", "target_languages"],
] as const;

/** Rules between fields. @returns a sentence for each one broken */
function liveProblems(body: LiveBody): string[] {
  const problems: string[] = [];
  for (const [name, config, field] of CONFIGS_WITH_DATA) {
    if (body.realtime_processing?.[name] && !body.realtime_processing[config]) {
      problems.push(`realtime_processing.${config}.${field} is required when realtime_processing.${name} is true`);
    }
  }
  if (body.callback && !body.callback_config?.url) {
    problems.push("callback_config.url is required when callback is true");
  }
  if (body.encoding === "opus" && (body.channels ?? 1) > MOST_OPUS_CHANNELS) {
    problems.push(
      `channels must be at most ${MOST_OPUS_CHANNELS} with encoding: opus; ogg/opus and webm/opus carry up to 8`,
    );
  }
  return [
    ...problems,
    ...opusFrameProblems(body),
    ...turnSilenceProblems(body.turn_detection),
    ...speakerCountProblems(body),
  ];
}

export interface LiveRules {
  /** PARLANCE_ALLOW_PRIVATE_ADDRESSES. */
  allowPrivateAddresses: boolean;
  /** PARLANCE_STRICT_REQUESTS: fields that the request does not have are refused. */
  strictRequests: boolean;
}

/**
 * The rules that the schema cannot express.
 * @param body  that fits the schema, with defaults
 * @returns fields without effect, a sentence each
 * @throws request.invalid
 */
export function checkLiveBody(
  body: LiveBody,
  { allowPrivateAddresses }: Pick<LiveRules, "allowPrivateAddresses">,
): string[] {
  const problems = liveProblems(body);
  const address = body.callback_config?.url;
  const refused = address ? refusedUrl(address, allowPrivateAddresses) : undefined;
  if (refused) problems.push(`callback_config.url ${refused}`);
  const source = body.source && refusedSource(body.source.url, allowPrivateAddresses);
  if (source) problems.push(`source.url ${source}`);
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return ineffectiveLiveFields(body);
}

let problemsOf: ((value: unknown) => string[]) | undefined;

/**
 * The whole judgement, for a body that no route has validated.
 * @returns the body with defaults, and a sentence for each field without effect
 * @throws request.invalid naming every bad field
 */
export function judgeLiveBody(
  given: Record<string, unknown>,
  rules: LiveRules,
): { body: LiveBody; warnings: string[] } {
  const texts = textProblems(given);
  if (texts.length > 0) throw errors.invalidParameters(texts);
  const unknown = new UnknownFields();
  const body = prepare(LiveBody, given, unknown) as LiveBody;
  problemsOf ??= problemFinder(LiveBody);
  const problems = [...(rules.strictRequests ? unknown.problems() : []), ...problemsOf(body)];
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return { body, warnings: [...unknown.warnings(), ...checkLiveBody(body, rules)] };
}

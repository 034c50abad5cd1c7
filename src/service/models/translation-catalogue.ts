// Translation directions that Mozilla publishes, as its registry lists them. Sizes and SHA-256 are the registry's: they are fetched with
// it (mozilla-registry.ts) and are not repeated here, because its models are replaced by better ones under the same direction.

const ENGLISH = "en";
/** Languages of the registry's directions into English (read 2026-11-25). ISO 639; nb is listed as no. */
const INTO_ENGLISH =
  "ar az be bg bn bs ca cs da de el es et fa fi fr gu he hi hr hu id is it ja kn ko lt lv ml ms nl nn no pl pt ro ru sk sl sq sr sv ta te tr uk vi zh";
/** And out of English. */
const FROM_ENGLISH =
  "ar az bg bn ca cs da de el es et fa fi fr gu he hi hr hu id is it ja kn ko lt lv ml ms nl no pl pt ro ru sk sl sq sv ta te tr uk vi zh";

export interface PublishedDirection {
  id: string;
  source: string;
  target: string;
}

export const TRANSLATION_LICENCE = "MPL-2.0";
const PREFIX = "translate-";

/** Name of a direction's model. @param source  ISO 639 code, as `target` */
export const translationId = (source: string, target: string): string => `${PREFIX}${source}-${target}`;

const direction = (source: string, target: string): PublishedDirection => ({
  id: translationId(source, target),
  source,
  target,
});

export const PUBLISHED_DIRECTIONS: readonly PublishedDirection[] = [
  ...INTO_ENGLISH.split(" ").map((language) => direction(language, ENGLISH)),
  ...FROM_ENGLISH.split(" ").map((language) => direction(ENGLISH, language)),
];

/** @returns undefined where the name is not that of a direction; one that is not listed may be published since */
export function namedDirection(id: string): PublishedDirection | undefined {
  const [, source, target] = new RegExp(`^${PREFIX}([a-z]{2,3})-([a-z]{2,3})$`).exec(id) ?? [];
  return source && target ? direction(source, target) : undefined;
}

export const isPublished = (source: string, target: string): boolean =>
  PUBLISHED_DIRECTIONS.some((one) => one.source === source && one.target === target);

// Parts of a request that are removed when its job has ended: voices, and the user name and password in the address of its
// recording. The latter are removed earlier if the recording was fetched.
import { type RawBuilder, sql } from "kysely";

/**
 * Parameters without voices are not parsed: those of a damaged row may have escapes that the database refuses.
 */
const unlessVoices = (others: RawBuilder<unknown>) => sql<never>`case
  when request_params::text not like '%"sealed_voices"%' and request_params::text not like '%"known_voices"%' then request_params
  else ${others} end`;
const WITHOUT_VOICES = unlessVoices(sql`(request_params::jsonb - 'sealed_voices' - 'known_voices')::json`);
const NOTHING = unlessVoices(sql`'{}'::json`);

/** @param isDamaged  whether the database may be unable to parse the parameters; those with voices are then deleted as a whole */
const paramsWithoutVoices = (isDamaged: boolean) => (isDamaged ? NOTHING : WITHOUT_VOICES);

/** The column without them. FetchAddress stores addresses with one "@" in the authority. */
export const ADDRESS_WITHOUT_CREDENTIALS = sql<
  string | null
>`regexp_replace(audio_url, '^([a-z]+://)[^/?#@]*@', '\\1')`;

/** Columns of a job that has ended. @param isDamaged  see paramsWithoutVoices */
export const requestOfEnded = (isDamaged: boolean) => ({
  request_params: paramsWithoutVoices(isDamaged),
  audio_url: ADDRESS_WITHOUT_CREDENTIALS,
});

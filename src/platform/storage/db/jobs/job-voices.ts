// Voices that a request named serve its job alone: they are deleted from its parameters when it ends.
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
export const paramsWithoutVoices = (isDamaged: boolean) => (isDamaged ? NOTHING : WITHOUT_VOICES);

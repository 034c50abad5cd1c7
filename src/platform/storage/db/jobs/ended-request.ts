// Parts of a request that are removed when its job has ended: voices, and the user name and password in the address of its
// recording. The latter are removed earlier if the recording was fetched.
import { sql } from "kysely";
import { paramsWithoutVoices } from "./job-voices.ts";

/** The column without them. FetchAddress stores addresses with one "@" in the authority. */
export const ADDRESS_WITHOUT_CREDENTIALS = sql<
  string | null
>`regexp_replace(audio_url, '^([a-z]+://)[^/?#@]*@', '\\1')`;

/** Columns of a job that has ended. @param isDamaged  see paramsWithoutVoices */
export const requestOfEnded = (isDamaged: boolean) => ({
  request_params: paramsWithoutVoices(isDamaged),
  audio_url: ADDRESS_WITHOUT_CREDENTIALS,
});

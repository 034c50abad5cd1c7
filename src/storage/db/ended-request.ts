// What of a request a job keeps only until it has ended: voices, and the user name and password in the address of its
// recording, which are removed as soon as the recording is there.
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

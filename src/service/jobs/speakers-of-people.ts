// Whether people have changed the speakers of a transcript, which a request for add-ons would replace.
import { hasSpeakersOfPeople } from "../../contract/transcript/correction.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { addOnIds } from "../../platform/storage/db/jobs/add-ons.ts";
import { eachCorrection } from "../../platform/storage/db/jobs/corrections.ts";

export async function peopleChangedSpeakers(database: Database, jobId: string): Promise<boolean> {
  const requests = await addOnIds(database, jobId);
  for await (const correction of eachCorrection(database, jobId)) {
    if (hasSpeakersOfPeople([correction], requests)) return true;
  }
  return false;
}

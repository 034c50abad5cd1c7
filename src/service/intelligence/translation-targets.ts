import type { AddonParameters } from "../../contract/job-parameters.ts";

/** Whether a request has an English text beside that of other languages. */
export const translatesIntoEnglish = ({
  translation,
  translation_config: config,
}: Pick<AddonParameters, "translation" | "translation_config">): boolean =>
  translation === true && (config?.target_languages ?? []).includes("en");

import { t } from "../language/language.ts";

/** The key of the configuration has no name that a person gave it. */
const CONFIGURED_KEY = "PARLANCE_API_KEY";

/** @param name  of the key with which something was made */
export const authorOf = (name: string | null) => (name === CONFIGURED_KEY ? t.corrections.mainKey : (name ?? ""));

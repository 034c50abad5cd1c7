/** "English" for "eng" or "en", in the language of the interface; the code itself if it is unknown. */
import { formats } from "./language/language.ts";
export const languageName = (code: string): string => formats.languageName(code);

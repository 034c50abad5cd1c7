// Text of the warning about speech that an English model transcribed but that may be in another language.
import { PARLANCE } from "../../platform/command-prefix.ts";

/** Continues "3.0 s of". @param multilingualModel  that recognises other languages */
export const doubtfulSpeech = (multilingualModel: string): string =>
  "speech may not be in English: the English models are unsure of its words. " +
  `If it is in another language, name it (language_config.languages) and add a model that recognises it: ${PARLANCE} models add ${multilingualModel}. ` +
  'If it is English, name it: language_config.languages ["en"]';

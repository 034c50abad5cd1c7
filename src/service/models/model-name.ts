// Names that an added model can have.

import { DEFAULT_ALIASES } from "../../contract/default-aliases.ts";
import { NO_LANGUAGE_MODEL } from "./language-model-choice.ts";

const MODEL_NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Whether the name can be that of a folder and of a request, and means no other model. */
export const isModelName = (id: string): boolean =>
  MODEL_NAME.test(id) && id !== NO_LANGUAGE_MODEL && !DEFAULT_ALIASES.includes(id);

// The registry of engines. A new engine is a new folder and one line here.
import { bergamot } from "./bergamot/engine.ts";
import type { Engine, Model } from "./engine.ts";
import { gguf } from "./gguf/engine.ts";
import { moonshine } from "./moonshine/engine.ts";
import { sherpa } from "./sherpa/engine.ts";
import { smartTurn } from "./smart-turn/engine.ts";
import { speakerNetworks } from "./speaker-networks/engine.ts";
import { whisper } from "./whisper/engine.ts";

export const ENGINES: readonly Engine[] = [moonshine, whisper, sherpa, bergamot, gguf, speakerNetworks, smartTurn];

/** Models in the npm packages. */
export const BUILT_IN_MODELS: readonly Model[] = ENGINES.flatMap(({ builtIn }) => builtIn);

/** @throws Error if there is no engine of that name */
export function engineOf({ engine }: Pick<Model, "engine">): Engine {
  const found = ENGINES.find(({ name }) => name === engine);
  if (!found) throw new Error(`there is no engine ${engine}`);
  return found;
}

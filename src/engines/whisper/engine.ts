// Whisper: a hundred languages, translation into English, from checkpoints that are fetched once.
import type { Engine } from "../engine.ts";

export const whisper: Engine = {
  name: "whisper",
  builtIn: [],
  async load({ id, folder }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return (await import("./load.ts")).loadWhisper(folder);
  },
  async filesOf(source) {
    return (await import("./prepare.ts")).whisperFiles(source);
  },
  async prepare(from, to, options) {
    return (await import("./prepare.ts")).prepareWhisper(from, to, options);
  },
};

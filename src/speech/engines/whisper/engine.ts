// Whisper: a hundred languages and translation into English, from downloaded checkpoints.
import type { Engine } from "../engine.ts";

export const whisper: Engine = {
  name: "whisper",
  concurrentTasks: 8,
  continuesAudio: true,
  builtIn: [],
  async load({ id, folder }, options) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return (await import("./model.ts")).loadWhisper(folder, options);
  },
  async filesOf(source) {
    return (await import("./prepare.ts")).whisperFiles(source);
  },
  async prepare(from, to, options) {
    return (await import("./prepare.ts")).prepareWhisper(from, to, options);
  },
};

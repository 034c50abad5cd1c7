import type { Engine } from "../engine.ts";
export const sherpa: Engine = {
  name: "sherpa",
  builtIn: [],
  load: async () => {
    throw new Error("later");
  },
};

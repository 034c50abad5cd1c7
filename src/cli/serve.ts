import { serve } from "../main.ts";
import type { Command } from "./command.ts";

export const serveCommand: Command = {
  name: "serve",
  synopsis: "serve",
  summary: "Run the service; configured by environment variables, see the README.",
  run: serve,
};

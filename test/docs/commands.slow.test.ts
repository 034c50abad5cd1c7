// The commands of the pages that start many processes.
import { LONG_PAGES, testCommands, useService } from "./documented-commands.ts";

useService();
testCommands((page) => LONG_PAGES.has(page));

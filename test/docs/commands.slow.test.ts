// The commands of the pages that start many processes, and the program that is compiled first.
import { LONG_PAGES, SLOW_LANGUAGES, testCommands, testSignatures, useService } from "./documented-commands.ts";

useService();
testCommands((page) => LONG_PAGES.has(page));
testSignatures((language) => SLOW_LANGUAGES.has(language));

// Set up before each test file of npm run test:fleet.
import { beforeEach } from "vitest";
import { skipListed } from "../fixtures/skip-listed.ts";

beforeEach(skipListed());

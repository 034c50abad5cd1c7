import http from "node:http";
import type { AddressInfo } from "node:net";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addJobActions } from "./job-actions.ts";

const REQUEST = "language_config.code_switching has no effect where language_config.languages names a single language";
const FAILED = { success: false, error: { message: "no model is installed" } };
const JOB = { id: "1", status: "done", result: { metadata: { warnings: [REQUEST] }, diarization: FAILED } };

let server: http.Server;
let service: string[];
beforeEach(async () => {
  server = http.createServer((request, response) => {
    const isCreation = request.method === "POST";
    const body = isCreation ? { id: "1", result_url: "", warnings: [REQUEST] } : JOB;
    response.writeHead(isCreation ? 201 : 200, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  service = ["--server", `http://127.0.0.1:${port}`, "--key", "a-key-for-tests"];
});
afterEach(() => server.close());

/** @returns what the command prints */
async function run(...words: string[]): Promise<{ out: string; err: string }> {
  const [out, err] = [process.stdout, process.stderr].map((stream) => {
    const written: string[] = [];
    const spy = vi.spyOn(stream, "write").mockImplementation((text) => written.push(String(text)) > 0);
    return { written, spy };
  });
  const jobs = new Command();
  addJobActions(jobs);
  await jobs.parseAsync([...words, ...service], { from: "user" }).finally(() => {
    out?.spy.mockRestore();
    err?.spy.mockRestore();
  });
  return { out: out?.written.join("") ?? "", err: err?.written.join("") ?? "" };
}

const CREATION = ["create", "https://example.com/a.mp3", "--language", "en", "--switching", "--speakers"];
const ALL = `parlance: 1: ${REQUEST}\nparlance: 1: --speakers has no effect: no model is installed\n`;

test("a created job prints the warnings of the request, and with --wait those of the result", async () => {
  expect(await run(...CREATION)).toEqual({ out: "1\n", err: `parlance: 1: ${REQUEST}\n` });
  expect(await run(...CREATION, "--wait")).toEqual({ out: "1 done\n", err: ALL });
  expect(await run(...CREATION, "--wait", "--quiet")).toEqual({ out: "1 done\n", err: "" });
});

test("the end of a job prints the warnings of its result", async () => {
  expect(await run("wait", "1")).toEqual({ out: "1 done\n", err: ALL });
});

// Every command and every program in the documentation is run, as it stands there, against a service with real speech; here and in
// commands.slow.test.ts.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../service.ts";
import {
  BLOCKS,
  LONG_PAGES,
  layOut,
  PAGES,
  ROOT,
  run,
  SHELL_BLOCKS,
  SLOW_LANGUAGES,
  service,
  testCommands,
  testSignatures,
  useService,
} from "./documented-commands.ts";

/** What cannot run inside of a test, and where it is run. */
const ELSEWHERE = [
  /^npm ci && npm (start|test)$/, // .ci/run, and the installed package in test/deploy
  /^npm run (check|test:all|test:services)$/, // .ci/run
  /^bash \.ci\/run$/,
  /^strace -ff .* npm start$|^grep -hE .* trace\.\* \|/, // test/offline/npm-start.test.ts
  /^cd deploy\/kubernetes\/|^cp secrets\.example\.env |^kubectl /, // test/deploy/kubernetes.test.ts renders the files
  /^docker compose /, // the files are checked and the image's steps are run in test/deploy
  /^npx --no-install parlance live( --speakers)?$/, // needs a microphone; pipes are run
  /^npx --no-install parlance models (list|add|remove|verify)/, // test/acceptance/models.slow.test.ts runs them against a hub on this machine
  /^export (DATABASE_URL|PARLANCE_S3_BUCKET|PARLANCE_NATS_URL|PARLANCE_SECRETS_KEY)=|^PARLANCE_ROLES=\w+ npx --no-install parlance serve$/, // test/many
  /^npx --no-install parlance export|npx --no-install parlance import moved$/, // test/many/transfer.net.test.ts
  /^tar -xzf parlance-VERSION|^node parlance-VERSION.*serve$|^npm run release -- /, // test/deploy/release.slow.test.ts
  /^ln -sfn \/opt\/parlance-VERSION|^cp .*\.service |^mkdir -p \/etc\/parlance |^(systemctl|journalctl) /, // need systemd; the unit: test/deploy/systemd.slow.test.ts
  /^KEY=YOUR_KEY node captions-server\.mjs$/, // test/docs/captions.browser.test.ts
  /^git push --follow-tags$/, // changes a repository elsewhere
  /^PARLANCE_WYOMING_PORT=.* parlance serve$/, // needs a machine of the home network; test/acceptance/wyoming.test.ts starts it for this machine
  /^PARLANCE_AUDIOSOCKET_PORT=.* parlance serve$/, // needs an Asterisk; test/acceptance/audiosocket.test.ts starts it for this machine
  /^SOURCE=https:|session\.json|"\$(EVENTS|PLAYLIST)|\/v2\/live\/\$ID/, // test/acceptance/live-sources.slow.test.ts
  /^npx --no-install parlance mcp$/, // test/acceptance/mcp.test.ts
  /^npx --no-install parlance voices |^curl .*\/v2\/voices/, // test/acceptance/voices.test.ts
  /^REPEATED=|"\$REPEATED/, // test/acceptance/teaching.test.ts
  /^PARLANCE_TEST_BASE=/, // needs a service elsewhere
  /^npm run bench -- peers /, // needs a Whisper checkpoint and Python packages; it runs for an hour
];

useService();

const withoutComment = (line: string) => line.replace(/\s+#.*$/, "").trim();

describe("commands", () => {
  test("those that are not run here are run elsewhere", () => {
    const lines = SHELL_BLOCKS.filter(({ info }) => info === "no-run")
      .flatMap(({ text }) => text.split("\n"))
      .map(withoutComment)
      .filter((line) => line !== "");
    expect(lines.filter((line) => !ELSEWHERE.some((known) => known.test(line)))).toEqual([]);
  });
});

testCommands((page) => !LONG_PAGES.has(page));

describe("programs", () => {
  const programs = BLOCKS.filter(({ language, info }) => language === "js" && info === "");

  test.each(programs.map((block, index) => [`${block.page} ${index + 1}`, block] as const))(
    "%s runs",
    async (_, block) => {
      const place = await layOut(block.page);
      // It finds the packages of this checkout.
      const file = path.join(ROOT, `docs-program-${process.pid}.mjs`);
      writeFileSync(file, block.text.replaceAll('"recording.', `"${place}/recording.`));
      try {
        const { code, output } = await run(process.execPath, [file], place);
        expect(code, output).toBe(0);
        expect(output).toMatch(/hello from the/i);
      } finally {
        rmSync(file);
      }
    },
  );
});

testSignatures((language) => !SLOW_LANGUAGES.has(language));

describe("pages", () => {
  test("every link between files leads somewhere", () => {
    const missing = PAGES.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, href = ""]) => href)
        .filter((href) => !/^(https?:|\/|#)/.test(href))
        .filter((href) => !existsSync(path.join(path.dirname(page), href.split("#")[0] as string)))
        .map((href) => `${page}: ${href}`),
    );
    expect(missing).toEqual([]);
  });

  test("each is served at /docs, with its pictures, and links that work", async () => {
    const seen = new Set<string>();
    const open = ["/docs"];
    for (let route = open.pop(); route; route = open.pop()) {
      if (seen.has(route)) continue;
      seen.add(route);
      const answer = await fetch(new URL(route, service.base));
      expect(answer.status, route).toBe(200);
      if (!answer.headers.get("content-type")?.startsWith("text/html") || route.startsWith("/docs/api")) continue;
      const html = await answer.text();
      // The policy of the pages allows files of this service alone.
      expect(html.match(/<script[^>]*>/gi)).toEqual(['<script src="/docs/page.js" defer>']);
      for (const [, href = ""] of html.matchAll(/(?:href|src)="(\/docs[^"#]*)/g)) open.push(href);
    }
    for (const page of PAGES.slice(1)) expect(seen).toContain(`/docs/${path.parse(page).name}`);
    expect([...seen].some((route) => route.endsWith(".png"))).toBe(true);
    expect((await fetch(new URL("/docs/..%2f..%2fpackage", service.base))).status).toBe(404);
    expect((await fetch(new URL("/docs/nonsense", service.base))).status).toBe(404);
  });

  test("the reference carries our name and can be tried out", async () => {
    const html = await (await fetch(new URL("/docs/api", service.base))).text();
    expect(html).toContain("<title>Parlance API</title>");
    const { openapi, info } = (await call(service, "GET", "/openapi.json", { key: null })).json;
    expect(openapi).toBe("3.1.0");
    expect(info.title).toBe("Parlance API");
  });
});

// The rendered objects of deploy/kubernetes against the types and schemas of Kubernetes, the Gateway API and the Prometheus operator. Types
// find fields that do not exist, which a server ignores or refuses; schemas find values that are missing or out of range.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../fixtures/execute.ts";
import { type KubernetesObject, OVERLAYS, RENDERER, render } from "../fixtures/kubernetes.ts";

const PACKAGES = [
  "kubernetes-models@5.1.0",
  "@kubernetes-models/gateway-api@2.0.0",
  "@kubernetes-models/prometheus-operator@6.0.0",
];

/** Module with the class of a kind. */
function moduleOf(apiVersion: string, kind: string): string {
  const place = `${apiVersion}/${kind}`;
  if (place.startsWith("gateway.networking.k8s.io/")) return `@kubernetes-models/gateway-api/${place}`;
  if (place.startsWith("monitoring.coreos.com/")) return `@kubernetes-models/prometheus-operator/${place}`;
  return `kubernetes-models/${place}`;
}

describe.skipIf(!RENDERER)("objects of Kubernetes (skipped without kubectl or kustomize)", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-kubernetes-types-"));
  const options = ["--strict", "--target", "es2023", "--module", "nodenext", "--noEmit", "--skipLibCheck"];

  /** @returns problems that the compiler and the schemas find, a line each */
  async function problemsOf(name: string, objects: readonly KubernetesObject[]): Promise<string[]> {
    // The classes add the version and the kind, and do not take them.
    const lines = objects.flatMap(({ apiVersion, kind, ...rest }, at) => [
      `import { ${kind} as Kind${at} } from ${JSON.stringify(moduleOf(apiVersion, kind))};`,
      `const object${at} = new Kind${at}(${JSON.stringify(rest)});`,
      `try { object${at}.validate(); } catch (error) { console.log("${kind}", String(error)); }`,
    ]);
    const file = path.join(folder, `${name}.mts`);
    writeFileSync(file, lines.join("\n"));
    const typed = await execute(path.resolve("node_modules/.bin/tsc"), [...options, file], folder).then(
      () => "",
      (error: unknown) => String(error),
    );
    // The compiler checked the types above; only JSON was added to plain JavaScript.
    writeFileSync(path.join(folder, `${name}.mjs`), lines.join("\n"));
    const checked = await execute(process.execPath, [`${name}.mjs`], folder);
    return [...typed.split("\n").filter((line) => /error TS/.test(line)), ...checked.split("\n").filter(Boolean)];
  }

  beforeAll(async () => {
    writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
    await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES], folder);
    symlinkSync(path.resolve("node_modules/@types"), path.join(folder, "node_modules/@types"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(OVERLAYS)("those of %s have the fields and values of their kinds", async (overlay) => {
    const objects = render()[overlay].map((one) => {
      // YAML breaks long texts in base64, and the server ignores white space in them; the schema does not.
      const entries = Object.entries<string>(one["kind"] === "Secret" ? one["data"] : {});
      if (entries.length === 0) return one;
      return { ...one, data: Object.fromEntries(entries.map(([key, value]) => [key, value.replace(/\s/g, "")])) };
    });
    expect(await problemsOf(overlay, objects)).toEqual([]);
  });

  test("a field that does not exist and a value of another type are found", async () => {
    const deployment = render().small.find(({ kind }) => kind === "Deployment") as KubernetesObject;
    const misspelt = structuredClone(deployment);
    misspelt["spec"].template.spec.terminationGracePeriod = 60;
    expect(await problemsOf("misspelt", [misspelt])).toEqual([expect.stringContaining("terminationGracePeriod")]);
    const mistyped = structuredClone(deployment);
    mistyped["spec"].minReadySeconds = "2";
    expect((await problemsOf("mistyped", [mistyped])).join("\n")).toContain("minReadySeconds must be integer");
  });
});

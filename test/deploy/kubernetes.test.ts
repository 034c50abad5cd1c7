// deploy/kubernetes, rendered: every wire of the service is reached, every setting is one, and names that refer to each other exist.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { loadSettings } from "../../src/platform/config/load.ts";
import { SETTINGS, type Settings } from "../../src/platform/config/settings.ts";
import { DIALECTS } from "../../src/service/live/dialects/registry.ts";
import { type KubernetesObject, OVERLAYS, RENDERER, render, routed } from "../fixtures/kubernetes.ts";
import { findProgram } from "../fixtures/programs.ts";
import { WEBSOCKET_PATHS } from "../fixtures/wires.ts";

const ROLES = ["api", "live", "worker"] as const;
/** Behind PARLANCE_SHUTDOWN_SECONDS: for all other steps of the shutdown (compose/compose.ts). */
const OTHER_STEPS_SECONDS = 15;
/** What a pod writes beside the cache: recordings being fetched, samples of running jobs. */
const WORK_BYTES = 2e9;
/** What PostgreSQL reserves for its superusers. */
const RESERVED_CONNECTIONS = 3;
const UNITS: Record<string, number> = { Gi: 2 ** 30, Mi: 2 ** 20 };

const bytesOf = (quantity: string) => Number.parseFloat(quantity) * (UNITS[quantity.slice(-2)] ?? 1);
const find = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((one) => one["kind"] === kind && one["metadata"].name === name) as KubernetesObject;
const ofKind = (objects: readonly KubernetesObject[], kind: string) => objects.filter((one) => one["kind"] === kind);
const podOf = (deployment: KubernetesObject) => deployment["spec"].template;
const containerOf = (deployment: KubernetesObject) => podOf(deployment).spec.containers[0];
const isSelected = (labels: Record<string, string>, selector: Record<string, string>) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Environment of a deployment's container, as Kubernetes makes it. */
function environmentOf(objects: readonly KubernetesObject[], deployment: KubernetesObject): Record<string, string> {
  const container = containerOf(deployment);
  const sources = (container.envFrom ?? []).map(({ configMapRef, secretRef }: KubernetesObject) => {
    if (configMapRef) return find(objects, "ConfigMap", configMapRef.name)["data"];
    const secret: Record<string, string> = find(objects, "Secret", secretRef.name)["data"];
    return Object.fromEntries(
      Object.entries(secret).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  });
  const own = (container.env ?? []).map(({ name, value }: KubernetesObject) => [name, value]);
  return Object.assign({}, ...sources, Object.fromEntries(own));
}

describe.skipIf(!RENDERER)("deploy/kubernetes (skipped without kubectl or kustomize)", () => {
  let rendered: ReturnType<typeof render>;
  const settingsOf = (objects: readonly KubernetesObject[], role: string): Settings =>
    loadSettings({
      PARLANCE_HOST: "0.0.0.0",
      ...environmentOf(objects, find(objects, "Deployment", `parlance-${role}`)),
    });
  beforeAll(() => {
    rendered = render();
  });

  test.each(OVERLAYS)(
    "%s: the service accepts the settings of each role, with everything that several machines need",
    (overlay) => {
      const objects = rendered[overlay];
      for (const role of ROLES) {
        expect(settingsOf(objects, role)).toMatchObject({ roles: role, s3Bucket: "parlance" });
        const environment = environmentOf(objects, find(objects, "Deployment", `parlance-${role}`));
        const needed = Object.values(SETTINGS)
          .map(({ variable }) => variable)
          .filter((name) => /^PARLANCE_(S3|NATS)_|^PARLANCE_(SECRETS|METRICS)_KEY$|^DATABASE_URL$/.test(name));
        // A file of credentials needs a volume, and takes the place of the password in the address.
        const missing = needed.filter((name) => !(name in environment));
        expect(missing).toEqual(["PARLANCE_NATS_CREDENTIALS"]);
      }
    },
  );

  test.each(OVERLAYS)(
    "%s: each role has probes, few rights, time to stop, a budget, and room for its copies",
    (overlay) => {
      const objects = rendered[overlay];
      for (const role of ROLES) {
        const name = `parlance-${role}`;
        const deployment = find(objects, "Deployment", name);
        const { terminationGracePeriodSeconds, volumes, securityContext, automountServiceAccountToken } =
          podOf(deployment).spec;
        const container = containerOf(deployment);
        expect(container.readinessProbe.httpGet.path).toBe("/ready");
        for (const probe of ["startupProbe", "livenessProbe"]) expect(container[probe].httpGet.path).toBe("/health");
        expect(securityContext.runAsNonRoot).toBe(true);
        expect(automountServiceAccountToken).toBe(false);
        expect(container.securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
        const { drainSeconds, shutdownSeconds, s3CacheBytes, reserveBytes } = settingsOf(objects, role);
        const { periodSeconds, failureThreshold = 3 } = container.readinessProbe;
        expect(drainSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
        expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + shutdownSeconds + OTHER_STEPS_SECONDS);
        expect(podOf(deployment).metadata.labels).toMatchObject(
          find(objects, "PodDisruptionBudget", name)["spec"].selector.matchLabels,
        );
        const data = volumes.find((volume: KubernetesObject) => volume["name"] === "data");
        const size = data.emptyDir?.sizeLimit ?? data.ephemeral.volumeClaimTemplate.spec.resources.requests.storage;
        expect(bytesOf(size)).toBeGreaterThan(s3CacheBytes + reserveBytes + WORK_BYTES);
        expect(volumes.filter((volume: KubernetesObject) => volume["name"] === "data")).toHaveLength(1);
      }
    },
  );

  test.each(OVERLAYS)("%s: names that refer to other objects exist", (overlay) => {
    const objects = rendered[overlay];
    const deployments = ofKind(objects, "Deployment");
    for (const deployment of deployments) {
      const { spec, metadata } = podOf(deployment);
      // Otherwise, the kubelet sets PARLANCE_API_PORT and more for the services below.
      expect(spec.enableServiceLinks).toBe(false);
      expect(metadata.labels).toMatchObject(deployment["spec"].selector.matchLabels);
      const volumes = spec.volumes.map((volume: KubernetesObject) => volume["name"]);
      for (const { name } of containerOf(deployment).volumeMounts) expect(volumes).toContain(name);
      for (const { configMap, persistentVolumeClaim } of spec.volumes) {
        if (configMap) expect(find(objects, "ConfigMap", configMap.name)).toBeDefined();
        if (persistentVolumeClaim)
          expect(find(objects, "PersistentVolumeClaim", persistentVolumeClaim.claimName)).toBeDefined();
      }
    }
    for (const { spec } of ofKind(objects, "Service")) {
      const pods = deployments.filter((one) => isSelected(podOf(one).metadata.labels, spec.selector));
      expect(pods.length).toBeGreaterThan(0);
      for (const pod of pods) {
        const names = containerOf(pod).ports.map((port: KubernetesObject) => port["name"]);
        for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
      }
    }
    for (const { metadata, spec } of ofKind(objects, "HorizontalPodAutoscaler")) {
      const scaled = find(objects, "Deployment", spec.scaleTargetRef.name);
      expect(spec.scaleTargetRef.name).toBe(metadata.name);
      // Otherwise each apply would reset the number of pods.
      expect(scaled["spec"].replicas).toBeUndefined();
    }
    const http = SETTINGS.port.default;
    for (const role of ["api", "live"]) {
      const [port] = find(objects, "Service", `parlance-${role}`)["spec"].ports;
      const container = containerOf(find(objects, "Deployment", `parlance-${role}`));
      expect(container.ports.find((one: KubernetesObject) => one["name"] === port.targetPort).containerPort).toBe(http);
    }
  });

  test("the list of WebSockets has those of every dialect, and the documentation names each", () => {
    const documentation = readdirSync("docs").filter((file) => file.endsWith(".md"));
    const text = documentation.map((file) => readFileSync(path.join("docs", file), "utf8")).join("\n");
    for (const dialect of DIALECTS) {
      expect(
        WEBSOCKET_PATHS.filter((target) => dialect.accepts(target)),
        dialect.name,
      ).toHaveLength(1);
    }
    expect(WEBSOCKET_PATHS).toHaveLength(DIALECTS.length);
    for (const target of WEBSOCKET_PATHS) expect(text).toContain(`\`${target}\``);
  });

  test("WebSockets of every protocol are routed to live, all requests to api, without a limit of time", () => {
    const route = find(rendered.production, "HTTPRoute", "parlance");
    const gateway = find(rendered.production, "Gateway", "parlance");
    expect(route["spec"].parentRefs).toEqual([{ name: gateway["metadata"].name }]);
    for (const target of WEBSOCKET_PATHS) {
      for (const upgrade of ["websocket", "WebSocket"]) {
        expect(routed(route, { path: target, headers: { upgrade } }), target).toBe("parlance-live");
      }
      expect(routed(route, { path: target, headers: {} }), target).toBe("parlance-api");
    }
    for (const target of [
      "/",
      "/mcp",
      "/v2/pre-recorded",
      "/v1/audio/transcriptions",
      "/asr",
      "/console/session",
      "/docs",
    ])
      expect(routed(route, { path: target, headers: {} }), target).toBe("parlance-api");
    for (const { timeouts } of route["spec"].rules) expect(timeouts).toEqual({ request: "0s", backendRequest: "0s" });
    for (const { backendRefs } of route["spec"].rules) {
      const { spec } = find(rendered.production, "Service", backendRefs[0].name);
      expect(spec.ports.map(({ port }: KubernetesObject) => port)).toContain(backendRefs[0].port);
    }
  });

  test("an Ingress sends everything to the proxy, which divides it", () => {
    const { spec, metadata } = find(rendered.small, "Ingress", "parlance");
    expect(spec.rules.map(({ http }: KubernetesObject) => http.paths)).toEqual([
      [{ path: "/", pathType: "Prefix", backend: { service: { name: "parlance-proxy", port: { name: "http" } } } }],
    ]);
    expect(metadata.annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"]).toBe("3600");
    const proxy = find(rendered.small, "Service", "parlance-proxy");
    expect(proxy["spec"].ports[0].name).toBe("http");
  });

  test("every listener that is not HTTP has a port of the pods and a service", () => {
    const objects = rendered.production;
    const listeners = Object.values(SETTINGS).filter(
      ({ variable }) => /_PORT$/.test(variable) && variable !== "PARLANCE_PORT",
    );
    expect(listeners.length).toBeGreaterThan(1);
    const environment = environmentOf(objects, find(objects, "Deployment", "parlance-live"));
    const ports = containerOf(find(objects, "Deployment", "parlance-live")).ports;
    const services = ofKind(objects, "Service").filter(({ spec }) => spec.type === "LoadBalancer");
    for (const { variable } of listeners) {
      const number = Number(environment[variable]);
      const port = ports.find(({ containerPort }: KubernetesObject) => containerPort === number);
      expect(port, variable).toBeDefined();
      const service = services.find(({ spec }) =>
        spec.ports.some((one: KubernetesObject) => one["targetPort"] === port.name),
      );
      expect(service?.["spec"].selector, variable).toMatchObject({ role: "live" });
      expect(service?.["spec"], variable).toMatchObject({ externalTrafficPolicy: "Local" });
      expect(service?.["spec"].loadBalancerSourceRanges.length, variable).toBeGreaterThan(0);
    }
  });

  test("the greatest number of pods has no more connections than the documentation asks of PostgreSQL", () => {
    const objects = rendered.production;
    const connections = ROLES.map((role) => {
      const { spec } = find(objects, "Deployment", `parlance-${role}`);
      const { maxReplicas } = find(objects, "HorizontalPodAutoscaler", `parlance-${role}`)["spec"];
      const pods = maxReplicas + spec.strategy.rollingUpdate.maxSurge;
      // One more listens for notifications.
      return pods * (settingsOf(objects, role).databaseConnections + 1);
    });
    const told = Number(/`max_connections = (\d+)`/.exec(readFileSync("docs/many-machines.md", "utf8"))?.[1]);
    const sum = connections.reduce((left, right) => left + right) + RESERVED_CONNECTIONS;
    expect(sum).toBeLessThanOrEqual(told);
    expect(sum).toBeGreaterThan(told * 0.9);
    const { data } = ofKind(rendered.everything, "ConfigMap").find(
      ({ data: files }) => files["pgbouncer.ini"],
    ) as KubernetesObject;
    expect(Number(/^max_client_conn = (\d+)$/m.exec(data["pgbouncer.ini"])?.[1])).toBeGreaterThan(sum);
    const { spec } = find(rendered.everything, "Service", "parlance-pgbouncer");
    expect(data["pgbouncer.ini"]).toContain(`listen_port = ${spec.ports[0].port}`);
  });

  describe("the autoscaler", () => {
    const { rules } = parse(readFileSync("deploy/kubernetes/components/autoscaling/adapter-rules.yaml", "utf8"));
    type Rule = { name: { as: string }; seriesQuery: string; metricsQuery: string };

    test("each metric that it scales by has a rule of the adapter, over figures that the service exports", () => {
      const metrics = ofKind(rendered.production, "HorizontalPodAutoscaler").flatMap(({ spec }) => spec.metrics);
      const named = (type: string, at: string) =>
        metrics.filter((metric) => metric.type === type).map((metric) => metric[at].metric.name);
      expect(rules.custom.map(({ name }: Rule) => name.as)).toEqual(named("Pods", "pods"));
      expect(rules.external.map(({ name }: Rule) => name.as)).toEqual(named("External", "external"));
      const source = readFileSync("src/platform/observability/metrics.ts", "utf8");
      for (const { seriesQuery, metricsQuery } of [...rules.custom, ...rules.external] as Rule[]) {
        const series = `${seriesQuery} ${metricsQuery}`.match(/parlance_[a-z_]+/g) ?? [];
        expect(series.length).toBeGreaterThan(0);
        for (const name of series) expect(source).toContain(`"${name.replace("parlance_", "")}"`);
      }
    });

    const PROMTOOL = findProgram("promtool");
    test.skipIf(!PROMTOOL)(
      "its queries give the load of each pod, and the length of the queue once (skipped without promtool)",
      () => {
        const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-adapter-"));
        const query = ({ seriesQuery, metricsQuery }: Rule, groups: string) =>
          metricsQuery
            .replaceAll("<<.Series>>", seriesQuery.replace(/\{.*/, ""))
            .replaceAll("<<.LabelMatchers>>", 'namespace="parlance"')
            .replaceAll("<<.GroupBy>>", groups);
        const sample = (name: string, pod: string, values: string, more = "") => ({
          series: `parlance_${name}{namespace="parlance",pod="${pod}"${more}}`,
          values,
        });
        const tests = {
          rule_files: [],
          evaluation_interval: "15s",
          tests: [
            {
              interval: "15s",
              input_series: [
                sample("live_sessions", "live-1", "6 6"),
                sample("live_capacity_sessions", "live-1", "8 8"),
                sample("live_sessions", "live-2", "0 0"),
                sample("live_capacity_sessions", "live-2", "0 0"),
                // Another process takes over: for one scrape, both samples are there.
                sample("jobs_unfinished", "worker-1", "40 40", ',status="queued"'),
                sample("jobs_unfinished", "worker-1", "9 9", ',status="processing"'),
                sample("jobs_unfinished", "worker-2", "_ 40", ',status="queued"'),
              ],
              promql_expr_test: [
                {
                  expr: query(rules.custom[0], "pod"),
                  eval_time: "15s",
                  exp_samples: [
                    { labels: '{pod="live-1"}', value: 0.75 },
                    { labels: '{pod="live-2"}', value: 0 },
                  ],
                },
                { expr: query(rules.external[0], ""), eval_time: "15s", exp_samples: [{ labels: "{}", value: 40 }] },
              ],
            },
          ],
        };
        writeFileSync(path.join(folder, "tests.yaml"), stringify(tests));
        const { status, stdout, stderr } = spawnSync(
          PROMTOOL as string,
          ["test", "rules", path.join(folder, "tests.yaml")],
          {
            encoding: "utf8",
          },
        );
        rmSync(folder, { recursive: true });
        expect(status, stdout + stderr).toBe(0);
      },
    );
  });
});

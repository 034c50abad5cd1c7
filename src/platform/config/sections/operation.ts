// Stopping, logs, metrics and traces.
import { httpAddress } from "../checks.ts";
import type { Setting } from "../setting.ts";

export const operation = {
  stallSeconds: {
    kind: "number",
    variable: "PARLANCE_STALL_SECONDS",
    isExpert: true,
    unit: "seconds",
    default: 60,
    least: 1,
    most: 86_400,
    integer: false,
    why: "A client that reads nothing of an answer for this long, or sends less than 500 bytes a second of a body over this time, is disconnected; the latter is answered 408.",
  },
  drainSeconds: {
    kind: "number",
    variable: "PARLANCE_DRAIN_SECONDS",
    unit: "seconds",
    default: 0,
    least: 0,
    most: 3600,
    integer: false,
    why: "How long a process still answers requests after SIGTERM while `/ready` answers 503, so that a load balancer stops sending requests.",
  },
  shutdownSeconds: {
    kind: "number",
    variable: "PARLANCE_SHUTDOWN_SECONDS",
    unit: "seconds",
    default: 10,
    least: 0,
    most: 3_600,
    integer: false,
    why: "How long a graceful stop waits for requests under way.",
  },
  logLevel: {
    kind: "choice",
    variable: "PARLANCE_LOG_LEVEL",
    default: "info",
    choices: ["trace", "debug", "info", "warn", "error", "silent"],
    why: "Lowest level that is logged.",
  },
  metrics: {
    kind: "switch",
    variable: "PARLANCE_METRICS",
    default: true,
    why: "Serve Prometheus metrics at /metrics, for keys of the default account and `PARLANCE_METRICS_KEY`.",
  },
  metricsKey: {
    kind: "text",
    variable: "PARLANCE_METRICS_KEY",
    isSecret: true,
    default: "",
    check: (value) => (value === "" || value.length >= 16 ? undefined : "must have at least 16 characters"),
    why: "A key that reads /metrics and nothing else, for Prometheus.",
  },
  tracesUrl: {
    kind: "text",
    variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "",
    check: httpAddress,
    why: "Base address of an OpenTelemetry receiver (OTLP over HTTP, such as `http://collector:4318`) that traces are sent to; without it none are made.",
  },
  tracesName: {
    kind: "text",
    variable: "OTEL_SERVICE_NAME",
    default: "parlance",
    why: "Name of this service in traces.",
  },
} satisfies Record<string, Setting>;

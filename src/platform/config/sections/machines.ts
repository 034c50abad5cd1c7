// Roles of this process, and the logs of live sessions that machines share.
import { natsAddresses } from "../checks.ts";
import { rolesProblem } from "../roles.ts";
import type { Setting } from "../setting.ts";

export const machines = {
  roles: {
    kind: "text",
    variable: "PARLANCE_ROLES",
    default: "api,live,worker",
    check: rolesProblem,
    why: "What this process does: `api` answers requests, `live` has live sessions, `worker` works on jobs. Without all three, `DATABASE_URL` is required.",
  },
  natsUrl: {
    kind: "text",
    variable: "PARLANCE_NATS_URL",
    isSecret: true,
    default: "",
    check: natsAddresses,
    why: "NATS servers with JetStream that store live sessions, comma-separated, instead of the data folder: any machine can continue any session. The first address may contain a user and password, or a token.",
  },
  natsCredentials: {
    kind: "text",
    variable: "PARLANCE_NATS_CREDENTIALS",
    default: "",
    why: "File of credentials for them (`.creds`).",
  },
  natsPrefix: {
    kind: "text",
    variable: "PARLANCE_NATS_PREFIX",
    isExpert: true,
    default: "parlance",
    check: (value) => (/^[a-zA-Z0-9_-]+$/.test(value) ? undefined : "must be letters, digits, - and _"),
    why: "Prefix of every name of a stream, bucket and subject in NATS.",
  },
  natsStreams: {
    kind: "number",
    variable: "PARLANCE_NATS_STREAMS",
    isExpert: true,
    unit: "streams",
    default: 4,
    least: 1,
    most: 1_000,
    integer: true,
    why: "Number of NATS streams among which new live sessions are distributed. Each stream has its own leader. Must be the same on every machine.",
  },
  natsBytes: {
    kind: "number",
    variable: "PARLANCE_NATS_MAX_BYTES",
    isExpert: true,
    unit: "bytes",
    default: 0,
    least: 0,
    most: 1e15,
    integer: true,
    why: "Most bytes of the logs of live sessions in NATS, divided equally among the streams. NATS reserves them. If they are full, live sessions wait and new ones are refused. 0 leaves the limits of the streams as they are. Must be the same on every machine.",
  },
  natsReplicas: {
    kind: "number",
    variable: "PARLANCE_NATS_REPLICAS",
    isExpert: true,
    unit: "servers",
    default: 0,
    least: 0,
    most: 5,
    integer: true,
    why: "NATS servers that keep each message; 0 is three where there are as many, else one.",
  },
} satisfies Record<string, Setting>;

// The tables of the database of the simulation: columns with their defaults, keys, and triggers. memory-rows.test.ts compares them with those
// that the migrations make.
import type { Row } from "./sql/frames.ts";
import { isTime } from "./sql/values.ts";

/** What a trigger can do. */
export interface Triggered {
  readonly now: Date;
  latest(table: string): readonly Row[];
  insert(table: string, row: Row): Row;
  update(table: string, before: Row, changes: Row): Row;
  /** A notification, sent when the transaction ends. */
  notify(topic: string): void;
}

export interface Table {
  key: readonly string[];
  /** Columns and what they contain without a value; undefined: a value is required. */
  columns: Readonly<Record<string, unknown>>;
  /** Columns that contain JSON. */
  json?: readonly string[];
  /** @param set  columns that an update assigns */
  trigger?(run: Triggered, before: Row | undefined, after: Row | undefined, set: Row): void;
}

const ACTIVE = new Set<unknown>(["queued", "processing"]);
const laneOf = ({ kind, file_id: file }: Row) => (kind === "live" ? "live" : file === null ? "fetch" : "process");
const count = (status: unknown, counted: string) => (status === counted ? 1 : 0);

function oldestWaiting(run: Triggered, account: unknown, lane: unknown): unknown {
  const waiting = run
    .latest("jobs")
    .filter((job) => job["account_id"] === account && job["status"] === "queued" && laneOf(job) === lane)
    .map((job) => job["created_at"] as Date);
  return waiting.length === 0 ? null : waiting.reduce((one, other) => (other < one ? other : one));
}

/** The function count_job of migration 0015. */
function countJob(run: Triggered, before: Row | undefined, after: Row | undefined): void {
  if (!ACTIVE.has(before?.["status"]) && !ACTIVE.has(after?.["status"])) return;
  if (before && after && before["status"] === after["status"] && laneOf(before) === laneOf(after)) return;
  const account = (after ?? before)?.["account_id"];
  const find = (lane: string) =>
    run.latest("account_lanes").find((one) => one["account_id"] === account && one["lane"] === lane);
  const [was, becomes] = [before && laneOf(before), after && laneOf(after)];
  if (after && becomes && ACTIVE.has(after["status"]) && !find(becomes))
    run.insert("account_lanes", {
      account_id: account,
      lane: becomes,
      most_running: mostRunning(run, account, becomes),
    });
  for (const lane of [...new Set([was, becomes])].sort()) {
    const counts = lane === undefined ? undefined : find(lane);
    if (!counts) continue;
    const change = (counted: string) =>
      (lane === becomes ? count(after?.["status"], counted) : 0) -
      (lane === was ? count(before?.["status"], counted) : 0);
    const [waiting, running] = [change("queued"), change("processing")];
    if (waiting === 0 && running === 0) continue;
    run.update("account_lanes", counts, {
      waiting: (counts["waiting"] as number) + waiting,
      running: (counts["running"] as number) + running,
      head_at: headAt(run, counts, waiting, before, after),
    });
  }
}

function headAt(
  run: Triggered,
  counts: Row,
  waiting: number,
  before: Row | undefined,
  after: Row | undefined,
): unknown {
  const { lane, head_at: head, account_id: account } = counts;
  if (lane === "live") return null;
  const [was, becomes] = [before?.["created_at"] as Date, after?.["created_at"] as Date];
  if (waiting > 0) return head === null || becomes < (head as Date) ? becomes : head;
  return waiting < 0 && (head === null || was <= (head as Date)) ? oldestWaiting(run, account, lane) : head;
}

function mostRunning(run: Triggered, id: unknown, lane: string): unknown {
  const account = run.latest("accounts").find((one) => one["id"] === id);
  const own = lane === "process" ? account?.["concurrent_jobs"] : lane === "live" ? account?.["live_sessions"] : null;
  return typeof own === "number" && own <= 0 ? 2_147_483_647 : (own ?? null);
}

/** The notifications of migration 0016. */
function notifyLane(run: Triggered, before: Row | undefined, after: Row | undefined): void {
  if (!after || after["lane"] === "live" || !((after["waiting"] as number) > 0)) return;
  const grows = (column: string) => (after[column] as number) > (before?.[column] as number);
  const isNews = !before || grows("waiting") || (after["running"] as number) < (before["running"] as number);
  if (isNews) run.notify(after["lane"] as string);
}

const SOON_MILLISECONDS = 1_000;

function notifyCallbacks(run: Triggered, before: Row | undefined, after: Row | undefined, set: Row): void {
  const due = after?.["due_at"];
  if ((before && !("due_at" in set)) || !isTime(due) || after?.["claimed_until"] !== null) return;
  if (due.getTime() <= run.now.getTime() + SOON_MILLISECONDS) run.notify("callbacks");
}

const required = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
const optional = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

export const TABLES: Readonly<Record<string, Table>> = {
  accounts: {
    key: ["id"],
    columns: {
      ...required("id", "name", "created_at"),
      ...optional("requests_per_second", "concurrent_jobs", "live_sessions", "upload_bytes", "audio_seconds"),
      ...optional(
        "callback_secret",
        "previous_callback_secret",
        "callback_secret_at",
        "deleting_at",
        "voices_since",
        "uses_vocabulary",
      ),
    },
  },
  api_keys: {
    key: ["id"],
    columns: { ...required("id", "account_id", "name", "hash", "created_at"), revoked_at: null },
  },
  jobs: {
    key: ["id"],
    columns: {
      ...required("id", "account_id", "kind", "status", "model", "created_at"),
      ...optional("started_at", "completed_at", "custom_metadata", "metadata_filter", "file_id", "audio_url", "name"),
      ...required("request_params", "post_session_metadata", "stage_outputs"),
      ...optional(
        "error_code",
        "error_message",
        "stage",
        "worker",
        "lease_until",
        "expected_at",
        "result_key",
        "result_hash",
      ),
      ...optional("trace_parent", "wanted_until", "added_to"),
      tags: [],
      ...{ progress: 0, strikes: 0, crashes: 0, attempt: 0, divisions: 0, is_searchable: false, has_overview: false },
    },
    json: ["request_params", "custom_metadata", "metadata_filter", "post_session_metadata", "stage_outputs", "tags"],
    trigger: countJob,
  },
  vocabulary_words: {
    key: ["id"],
    columns: {
      ...required("id", "account_id", "created_at", "made_by", "value", "pronunciations"),
      ...optional("language", "intensity"),
    },
    json: ["pronunciations"],
  },
  account_lanes: {
    key: ["account_id", "lane"],
    columns: { ...required("account_id", "lane"), waiting: 0, running: 0, ...optional("head_at", "most_running") },
    trigger: notifyLane,
  },
  live_admissions: { key: ["session_id"], columns: required("session_id", "account_id", "until") },
  live_sessions: {
    key: ["id"],
    columns: {
      ...required("id", "token_hash"),
      ...optional("owner", "key_id", "viewer_hash"),
      ...{ stop_requested: false, is_served: false },
    },
  },
  files: {
    key: ["id"],
    columns: {
      ...required("id", "account_id", "filename", "extension", "size", "object_key", "created_at"),
      ...optional("source", "audio_duration", "number_of_channels", "audio_deleted_at"),
      has_job: false,
    },
  },
  object_removals: { key: ["key"], columns: required("key", "is_folder", "due_at") },
  duties: {
    key: ["name"],
    columns: required("name", "holder", "until"),
    trigger: (run, before, after) => {
      if (before && !after) run.notify("duties");
    },
  },
  machines: {
    key: ["name"],
    columns: { ...required("name", "generation", "started_at"), ...optional("report", "reported_at", "last_report") },
    json: ["report"],
    trigger: (run, before, after, set) => {
      if (before && after && "generation" in set) run.notify("machines");
    },
  },
  deployment: { key: ["name"], columns: required("name", "value") },
  deliveries: {
    key: ["id"],
    columns: {
      ...required("id", "job_id", "sequence", "event", "url", "method", "status", "created_at", "round_began_at"),
      ...optional("payload", "ended_at", "account_id"),
      ...{ attempts: 0, attempts_before_round: 0 },
    },
  },
  delivery_lanes: {
    key: ["job_id"],
    columns: { ...required("job_id", "host"), ...optional("account_id", "due_at", "claimed_until") },
    trigger: notifyCallbacks,
  },
  delivery_attempts: {
    key: ["delivery_id", "number"],
    columns: { ...required("delivery_id", "number", "at", "milliseconds", "detail"), response_status: null },
  },
};

// Time limits and retries of callbacks.
import type { Setting } from "../setting.ts";

export const callbacks = {
  callbackTimeoutSeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_TIMEOUT_SECONDS",
    unit: "seconds",
    default: 15,
    least: 1,
    most: 300,
    integer: false,
    why: "How long the receiver of a callback may take to answer.",
  },
  callbackRetrySeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_RETRY_SECONDS",
    unit: "seconds",
    default: 270_000,
    least: 0,
    most: 2_592_000,
    integer: false,
    why: "How long a failing callback is retried (75 hours); afterwards it is marked as failed on the job.",
  },
  callbackFirstRetrySeconds: {
    kind: "number",
    variable: "PARLANCE_CALLBACK_FIRST_RETRY_SECONDS",
    isExpert: true,
    unit: "seconds",
    default: 5,
    least: 0.01,
    most: 86_400,
    integer: false,
    why: "Pause before a callback's second try; each later pause is four times as long, up to 12 hours.",
  },
} satisfies Record<string, Setting>;

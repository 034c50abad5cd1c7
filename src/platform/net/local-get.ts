// A quick look at what answers on this machine.
import http from "node:http";
import type { LocalTarget } from "../config/listen-address.ts";
import { limitedText } from "./connection.ts";

const TIMEOUT_MILLISECONDS = 700;
const MOST_BYTES = 1_000_000;

/** @returns the JSON that answers there with status 200; undefined when none does at once */
export function getLocalJson(target: LocalTarget, path: string): Promise<unknown> {
  return new Promise((resolve) => {
    const options = { ...target, path, agent: false, headers: { accept: "application/json" } };
    const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    const request = http.get({ ...options, signal }, (response) => {
      response.on("error", () => resolve(undefined));
      limitedText(response as AsyncIterable<Uint8Array>, MOST_BYTES)
        .then((text) => resolve(response.statusCode === 200 ? JSON.parse(text) : undefined))
        .catch(() => resolve(undefined));
    });
    request.on("error", () => resolve(undefined));
  });
}

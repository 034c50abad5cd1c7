// The account that is signed in in this browser.
import { signal } from "@preact/signals";
import { ApiError, get, send, whenSignedOut } from "./api.ts";
import { finishBeforeLeaving } from "./leaving.ts";
import type { Account, ConsoleSession } from "./shapes.ts";

export type AccountState = { kind: "unknown" | "unreachable" } | { kind: "out" } | { kind: "in"; account: Account };

export const account = signal<AccountState>({ kind: "unknown" });

/** Of the account that is signed in. */
export function accountName(): string | undefined {
  const state = account.peek();
  return state.kind === "in" ? state.account.name : undefined;
}

const AGAIN_MILLISECONDS = 2_000;

whenSignedOut(() => {
  account.value = { kind: "out" };
});

export async function loadAccount(): Promise<void> {
  try {
    const { needs_key } = await get<ConsoleSession>("/console/session");
    if (needs_key) {
      account.value = { kind: "out" };
      return;
    }
    const found = await get<Account>("/v2/account");
    account.value = { kind: "in", account: found };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      account.value = { kind: "out" };
      return;
    }
    account.value = { kind: "unreachable" };
    setTimeout(() => void loadAccount(), AGAIN_MILLISECONDS);
  }
}

/** @throws ApiError */
export async function signIn(key: string, remember: boolean): Promise<void> {
  await send("POST", "/console/session", { key, remember });
  await loadAccount();
}

export async function signOut(): Promise<void> {
  await finishBeforeLeaving();
  await send("DELETE", "/console/session");
  await loadAccount();
}

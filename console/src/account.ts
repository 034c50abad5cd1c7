// The account that is signed in in this browser.
import { signal } from "@preact/signals";
import { ApiError, get, send, whenSignedOut } from "./api.ts";
import { finishBeforeLeaving } from "./leaving.ts";
import { storeChoice, whenStoredElsewhere } from "./memory.ts";
import type { Account, ConsoleSession } from "./shapes.ts";

export type AccountState = { kind: "unknown" | "unreachable" } | { kind: "out" } | { kind: "in"; account: Account };

export const account = signal<AccountState>({ kind: "unknown" });

/** Name of the account that is signed in; undefined while signed out. */
export function accountName(): string | undefined {
  const state = account.peek();
  return state.kind === "in" ? state.account.name : undefined;
}

const AGAIN_MILLISECONDS = 2_000;

const SIGNED_IN = "signed-in";
let noted: string | undefined;

/** Other pages of this browser share the sign-in. */
function noteAccount(name: string): void {
  if (name !== noted) storeChoice(SIGNED_IN, name);
  noted = name;
}

whenStoredElsewhere(SIGNED_IN, () => void loadAccount());
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
    noteAccount(found.name);
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
  noteAccount("");
  await loadAccount();
}

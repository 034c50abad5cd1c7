// The account that is signed in in this browser.
import { computed, signal } from "@preact/signals";
import { ApiError, get, send, sendAs, whenSignedOut } from "./api.ts";
import { formats, t } from "./language/language.ts";
import { finishBeforeLeaving } from "./leaving.ts";
import { storeChoice, whenStoredElsewhere } from "./memory.ts";
import type { Account, ConsoleSession } from "./shapes.ts";

export type AccountState = { kind: "unknown" | "unreachable" } | { kind: "out" } | { kind: "in"; account: Account };

export const account = signal<AccountState>({ kind: "unknown" });

/** Name of the account that is signed in; undefined while signed out. */
export const shownAccountName = computed(() => (account.value.kind === "in" ? account.value.account.name : undefined));
/** The same, for code that does not follow its changes. */
export const accountName = (): string | undefined => shownAccountName.peek();

/** @returns why the service would refuse a file of this size; undefined where it takes it */
export function sizeProblem({ size }: Blob): string | undefined {
  const state = account.peek();
  const limit = state.kind === "in" ? state.account.limits.upload_bytes : undefined;
  if (limit === undefined || size <= limit) return undefined;
  return t.problems.tooLarge(formats.bytes(limit));
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
sendAs(accountName);
whenSignedOut(() => {
  if (account.peek().kind === "out") return;
  account.value = { kind: "out" };
  // Another page may have signed another account in.
  void loadAccount();
});

async function findAccount(): Promise<AccountState> {
  try {
    const { needs_key } = await get<ConsoleSession>("/console/session");
    if (needs_key) return { kind: "out" };
    return { kind: "in", account: await get<Account>("/v2/account") };
  } catch (error) {
    return { kind: error instanceof ApiError && error.status === 401 ? "out" : "unreachable" };
  }
}

let loads = 0;

export async function loadAccount(): Promise<void> {
  const load = ++loads;
  const found = await findAccount();
  // A later look may have ended before.
  if (load !== loads) return;
  account.value = found;
  if (found.kind === "in") noteAccount(found.account.name);
  if (found.kind === "unreachable") setTimeout(() => void loadAccount(), AGAIN_MILLISECONDS);
}

/** @throws ApiError */
export async function signIn(key: string, remember: boolean): Promise<void> {
  await send("POST", "/console/session", { key, remember });
  await loadAccount();
}

/** @throws ApiError  when the service does not answer: recordings and live sessions continue */
export async function signOut(): Promise<void> {
  await get("/console/session");
  await finishBeforeLeaving();
  await send("DELETE", "/console/session");
  noteAccount("");
  await loadAccount();
}

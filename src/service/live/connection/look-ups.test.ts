import { afterEach, expect, test, vi } from "vitest";
import { loadSettings } from "../../../platform/config/load.ts";
import type { Account } from "../../../platform/storage/db/accounts/accounts.ts";
import { RequestRates } from "../../accounts/request-rates.ts";
import type { Conversation, Finding, Owner, Sessions } from "../dialects/dialect.ts";
import { DIALECTS } from "../dialects/registry.ts";
import type { Closing } from "../events/closing.ts";
import type { TokenOutcome } from "../session/registry.ts";
import { LOOK_UP_MILLISECONDS, LookUps } from "./look-ups.ts";

const OWNER = { account: { id: "an-account" } as Account, keyId: null };
const HEADERS = { authorization: "Bearer a-key" };

afterEach(() => {
  vi.useRealTimers();
});

function lookUps(settings: Record<string, string> = {}, available: Partial<Sessions<TokenOutcome>> = {}) {
  const rates = new RequestRates(loadSettings(settings));
  const sessions = { isStrict: false, authenticate: async () => OWNER, ...available } as Sessions<TokenOutcome>;
  return new LookUps({ of: () => sessions, countRequest: ({ account }: Owner) => rates.take(account) });
}

const conversationAt = (path: string) =>
  DIALECTS.find((dialect) => dialect.accepts(path))?.open({
    path,
    query: new URLSearchParams("encoding=linear16&sample_rate=16000"),
    headers: HEADERS,
    at: 0,
  }) as Conversation;

async function closingOf(finding: Promise<Finding<TokenOutcome>>): Promise<Closing> {
  const found = await finding;
  if (typeof found === "object" && "closing" in found) return found.closing;
  throw new Error("the connection was not refused");
}

test.each(["/v1/listen", "/v1/realtime"])(
  "a connection of %s counts as a request of its account, and one too many is refused in the form of the wire",
  async (path) => {
    const bounded = lookUps({ PARLANCE_ACCOUNT_REQUESTS_PER_SECOND: "1" });
    const { sessions: first } = bounded.of({} as never);
    await first.authenticate("a-key");
    const conversation = conversationAt(path);
    const client = { send: async () => undefined, next: async () => "left" as const };
    const closing = await closingOf(conversation.findSession(bounded.of({} as never).sessions, client));
    expect(closing).toMatchObject({ kind: "refused", error: { code: "limit.requests", status: 429 } });
    if (conversation.handshake) {
      const { status, headers } = conversation.handshake.refusal(closing);
      expect([status, headers["retry-after"]]).toEqual([429, "1"]);
    } else {
      expect(conversation.closeFrame(closing).reason).toMatch(/1 requests a second/);
      expect(conversation.closeFrame(closing).code).toBe(1013);
    }
  },
);

test("the look-ups of a connection have one time limit together", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const slow = () =>
    new Promise<never>((resolve) => setTimeout(() => resolve(undefined as never), (LOOK_UP_MILLISECONDS * 2) / 3));
  const { sessions } = lookUps({}, { modelNamed: slow, create: slow }).of({} as never);
  const named = sessions.modelNamed("a-model", "openai");
  await vi.advanceTimersByTimeAsync(LOOK_UP_MILLISECONDS);
  await named;
  const created = expect(sessions.create({} as never, 0)).rejects.toThrow(/too long/);
  await vi.advanceTimersByTimeAsync(LOOK_UP_MILLISECONDS / 2);
  await created;
});

// The dialog of links with which people without a key read this transcript: makes one, lists those that are open, revokes them.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { errorMessage, get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { formats, t } from "../language/language.ts";
import { Check } from "../parts/check.tsx";
import { copy } from "../parts/copy.ts";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { useWork } from "../parts/use-work.ts";
import type { MadeShare, Share, Shares } from "../shapes.ts";
import { moment } from "../time.ts";
import type { TranscriptStore } from "./store.ts";

const DAYS = [1, 7, 30, 90] as const;
const FIRST_DAYS = 7;
const DAY_SECONDS = 86_400;
/** Shared, and made from the recognised text. */
const MADE_ONCE = ["summarization", "chapterization", "translation"];

function Made({ link }: { link: string }) {
  return (
    <div class="row wrap made" role="status">
      <label class="grow">
        <span>{t.share.link}</span>
        <input type="text" dir="ltr" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <button type="button" onClick={() => copy(link, t.transcript.linkCopied)}>
        {t.frame.copy}
      </button>
      <span class="hint">{t.setup.copyNow}</span>
    </div>
  );
}

function OpenShare({ share, onRevoke }: { share: Share; onRevoke(): void }) {
  const { created_at, made_by, expires_at, opened_at, audio } = share;
  return (
    <li class="row between">
      <span>
        {formats.facts([t.share.until(moment(expires_at)), audio ? t.share.withAudio : ""])}
        <small class="block">
          {formats.facts([
            t.share.made(moment(created_at), made_by),
            opened_at === null ? t.share.notOpened : t.share.opened(moment(opened_at)),
          ])}
        </small>
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          if (confirm(t.share.revokeQuestion)) onRevoke();
        }}
      >
        {t.setup.revoke}
      </button>
    </li>
  );
}

export function ShareDialog({ store, onClose }: { store: TranscriptStore; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const days = useSignal<number>(FIRST_DAYS);
  const hasAudio = useSignal(false);
  const made = useSignal<MadeShare | undefined>(undefined);
  const shares = useSignal<Share[] | undefined>(undefined);
  const problem = useSignal("");
  const { isRunning, run } = useWork();
  const path = `${store.path}/shares`;
  const load = async () => {
    shares.value = (await get<Shares>(path)).items;
  };
  useEffect(() => {
    dialog.current?.showModal();
    void attempt(load);
  }, []);
  const make = async () => {
    problem.value = "";
    try {
      const body = { expires_in: days.value * DAY_SECONDS, audio: hasAudio.value };
      made.value = await send<MadeShare>("POST", path, body);
      await load();
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  const revoke = (id: string) =>
    attempt(async () => {
      await send("DELETE", `${path}/${id}`);
      if (made.value?.id === id) made.value = undefined;
      await load();
    }, t.setup.revoked);
  const job = store.job.value;
  const isOlder = MADE_ONCE.some((name) => job?.result?.[name] && store.isOlder(name));
  return (
    <dialog ref={dialog} class="option-dialog" aria-label={t.share.title} onClose={onClose}>
      <DialogHead of={dialog}>{t.share.title}</DialogHead>
      <p class="hint">{t.share.hint}</p>
      {isOlder ? <p class="hint older">{t.share.older}</p> : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(make);
        }}
      >
        <div class="row wrap share-choices">
          <label>
            {t.share.validFor}{" "}
            <select
              value={String(days.value)}
              onChange={({ currentTarget }) => {
                days.value = Number(currentTarget.value);
              }}
            >
              {DAYS.map((count) => (
                <option key={count} value={String(count)}>
                  {t.share.days(count)}
                </option>
              ))}
            </select>
          </label>
          {job?.file ? (
            <Check
              isOn={hasAudio.value}
              onChange={(isOn) => {
                hasAudio.value = isOn;
              }}
            >
              {t.share.audio}
            </Check>
          ) : null}
          <button type="submit" class="primary" disabled={isRunning.value}>
            {t.share.make}
          </button>
        </div>
        <Problem text={problem.value} />
      </form>
      {made.value?.page === undefined ? null : <Made link={made.value.page} />}
      <h3>{t.share.links}</h3>
      {shares.value?.length === 0 ? <p class="hint">{t.share.none}</p> : null}
      <ul class="plain">
        {(shares.value ?? []).map((share) => (
          <OpenShare key={share.id} share={share} onRevoke={() => void revoke(share.id)} />
        ))}
      </ul>
    </dialog>
  );
}

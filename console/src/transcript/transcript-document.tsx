// The place of the document in the page. Its code is loaded while the transcript is.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import type { DocumentHandle, DocumentOptions } from "./document/handle.ts";
import { type Following, followUntilScrolled } from "./following.ts";
import type { Player } from "./player.ts";

const loading = import("./document/document-view.ts");

interface DocumentProps extends DocumentOptions {
  following: Following;
  player: Pick<Player, "isPlaying">;
  handle: RefObject<DocumentHandle | undefined>;
  /** The document can be shown in its place. */
  onReady(): void;
}

export function TranscriptDocument(props: DocumentProps) {
  const scroller = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const { handle, onReady, following, player, ...options } = latest.current;
    let view: (DocumentHandle & { destroy(): void }) | undefined;
    let isGone = false;
    const stop =
      scroller.current &&
      followUntilScrolled(scroller.current, following, player, () => view?.show(options.current.peek()));
    void loading.then(({ DocumentView }) => {
      if (isGone || !host.current || !scroller.current) return;
      view = new DocumentView(host.current, scroller.current, {
        ...options,
        onSeek: (seconds, thenPlay) => latest.current.onSeek(seconds, thenPlay),
        onSpeaker: (at) => latest.current.onSpeaker(at),
        onUnsure: (what) => latest.current.onUnsure(what),
        onNext: (at, time) => latest.current.onNext(at, time),
        onUndo: (isRedo) => latest.current.onUndo(isRedo),
      });
      handle.current = view;
      onReady();
    });
    return () => {
      isGone = true;
      stop?.();
      view?.destroy();
      handle.current = undefined;
    };
  }, [props.store]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must with keys, too
    <section class="transcript-scroll" ref={scroller} tabIndex={0} aria-label={t.transcript.transcript}>
      <div class="document" ref={host} />
    </section>
  );
}

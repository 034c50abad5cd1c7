// A virtual list: only visible items are in the DOM. Item heights vary and are measured.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";

const GUESSED_HEIGHT = 84;
const OVERSCAN = 6;

export interface ListHandle {
  /** Scrolls an item into view. */
  show(index: number): void;
}

interface ListProps {
  count: number;
  label: string;
  render(index: number): ComponentChildren;
  handle?: { current: ListHandle | undefined };
}

export function VirtualList({ count, label, render, handle }: ListProps) {
  const scroller = useRef<HTMLElement>(null);
  const [, redraw] = useReducer((value: number) => value + 1, 0);
  const list = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESSED_HEIGHT,
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(0),
  };
  list.current ??= new Virtualizer(options);
  const virtualizer = list.current;
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  if (handle) handle.current = { show: (index) => virtualizer.scrollToIndex(index, { align: "center" }) };
  const items = virtualizer.getVirtualItems();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must with keys, too
    <section class="transcript-scroll" ref={scroller} tabIndex={0} aria-label={label}>
      <ol class="utterances" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {items.map(({ index, start }) => (
          <li
            key={index}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            ref={(element) => {
              if (element) virtualizer.measureElement(element);
            }}
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(index)}
          </li>
        ))}
      </ol>
    </section>
  );
}

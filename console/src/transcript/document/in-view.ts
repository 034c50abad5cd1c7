// The paragraphs in or near the visible part of the document.
import type { ParagraphView } from "./paragraph-view.tsx";

/** So near to the visible part. */
const MARGIN = "800px 0px";
/** Passes until a place is in view: heights of paragraphs are estimated until they are near. */
const SHOW_PASSES = 4;

export class InView {
  private readonly near = new Set<ParagraphView>();
  private readonly watcher: IntersectionObserver;
  private readonly paragraphs = new WeakMap<Element, ParagraphView>();

  constructor(
    /** Scrolls. */
    private readonly scroller: HTMLElement,
    onChange: () => void,
  ) {
    const look = (entries: readonly IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) {
        const paragraph = this.paragraphs.get(target);
        if (!paragraph) continue;
        if (isIntersecting) this.near.add(paragraph);
        else this.near.delete(paragraph);
      }
      onChange();
    };
    this.watcher = new IntersectionObserver(look, { root: scroller, rootMargin: MARGIN });
  }

  add(paragraph: ParagraphView): void {
    this.paragraphs.set(paragraph.dom, paragraph);
    this.watcher.observe(paragraph.dom);
  }

  remove(paragraph: ParagraphView): void {
    this.watcher.unobserve(paragraph.dom);
    this.near.delete(paragraph);
  }

  of(element: Element): ParagraphView | undefined {
    return this.paragraphs.get(element);
  }

  /** Positions among the paragraphs. */
  positions(): number[] {
    return [...this.near].flatMap(({ info, dom }) => (info && dom.isConnected ? [info.at] : []));
  }

  /** Scrolls an element to the middle. */
  show(element: Element | undefined, pass = 0): void {
    if (!(element instanceof HTMLElement)) return;
    this.scroller.scrollTop = element.offsetTop - (this.scroller.clientHeight - element.offsetHeight) / 2;
    if (pass < SHOW_PASSES) requestAnimationFrame(() => this.show(element, pass + 1));
  }

  end(): void {
    this.watcher.disconnect();
  }
}

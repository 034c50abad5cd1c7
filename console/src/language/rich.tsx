// A text with links, code or other elements inside: the table marks their places, the component brings the elements.
import type { ComponentChildren } from "preact";

/** <1>marked words</1>, or <1/> for an element without words of the table */
const PLACE = /<(\d)(?:\/>|>(.*?)<\/\1>)/gu;

interface RichProps {
  text: string;
  /** By the numbers of the places, from 1 on. Each is given the marked words. */
  parts: readonly ((words: string) => ComponentChildren)[];
}

export function Rich({ text, parts }: RichProps) {
  const shown: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: place, 1: number, 2: words = "", index } of text.matchAll(PLACE)) {
    shown.push(text.slice(from, index), parts[Number(number) - 1]?.(words));
    from = index + place.length;
  }
  shown.push(text.slice(from));
  return <>{shown}</>;
}

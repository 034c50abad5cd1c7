// Sets the times of captions: one at a time, each for its reading time if the next caption leaves room.

import { milliseconds } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import type { LayoutOptions } from "./layout-options.ts";

export interface TimedCaption {
  start: number;
  end: number;
  rows: string[];
}

/** Word times have frames of 20 to 80 ms: a shorter overlap is inaccuracy, not simultaneous speech. */
const FRAME_SECONDS = 0.1;

const columnsOfRows = (rows: readonly string[]) => rows.reduce((sum, row) => sum + columnsOf(row), 0);

/** Captions of simultaneous speech share their time by width, so the second one begins later than its words. */
function separate(captions: readonly TimedCaption[]): void {
  for (let index = 0; index + 1 < captions.length; index++) {
    const [caption, next] = captions.slice(index, index + 2) as [TimedCaption, TimedCaption];
    next.start = Math.max(next.start, caption.start);
    const overlap = caption.end - next.start;
    if (overlap <= 0) continue;
    const end = Math.max(caption.end, next.end);
    const share = columnsOfRows(caption.rows) / Math.max(1, columnsOfRows(caption.rows) + columnsOfRows(next.rows));
    const fair = caption.start + (end - caption.start) * share;
    const boundary = overlap <= FRAME_SECONDS && next.start > caption.start ? next.start : Math.max(next.start, fair);
    caption.end = boundary;
    next.start = boundary;
    if (next.end <= boundary) next.end = end;
  }
}

/**
 * @param captions  in the order of their starts; changed in place
 * @param audioSeconds  length of the recording: no caption ends later
 */
export function setTimes(captions: TimedCaption[], options: LayoutOptions, audioSeconds: number): void {
  separate(captions);
  for (const [index, caption] of captions.entries()) {
    const limit = Math.min(captions[index + 1]?.start ?? Number.POSITIVE_INFINITY, audioSeconds);
    const readable = Math.min(options.maximumDuration, columnsOfRows(caption.rows) / options.readingSpeed);
    const wanted = caption.start + Math.max(options.minimumDuration, readable);
    caption.end = Math.max(Math.min(caption.end, limit), Math.min(wanted, limit));
    caption.start = milliseconds(caption.start);
    caption.end = milliseconds(caption.end);
  }
}

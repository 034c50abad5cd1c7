// Sets the times of captions: one at a time, each for its reading time if the next caption leaves room. Times that a person
// set are kept, and the captions beside them give way.

import { milliseconds } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import type { LayoutOptions } from "./layout-options.ts";

export interface TimedCaption {
  start: number;
  end: number;
  rows: string[];
  /** Times that a person set. */
  set: { start?: number | undefined; end?: number | undefined };
}

/** Word times have frames of 20 to 80 ms: a shorter overlap is inaccuracy, not simultaneous speech. */
const FRAME_SECONDS = 0.1;
/** A caption that gives way to one with set times is not made shorter; it overlaps that one instead. */
const LEAST_SECONDS = 0.2;
/** Times have milliseconds. */
const SHORTEST_SECONDS = 0.001;

const columnsOfRows = (rows: readonly string[]) => rows.reduce((sum, row) => sum + columnsOf(row), 0);

/** The caption before one that a person placed ends with its start. */
function endBefore(caption: TimedCaption, start: number): void {
  if (caption.set.end === undefined && start - caption.start >= LEAST_SECONDS) {
    caption.end = Math.min(caption.end, start);
  }
}

/** The caption after one whose end a person set begins with it. */
function startAfter(caption: TimedCaption, end: number): void {
  if (caption.set.start === undefined && caption.end - end >= LEAST_SECONDS) {
    caption.start = Math.max(caption.start, end);
  }
}

/** Captions of simultaneous speech share their time by width, so the second one begins later than its words. */
function separate(captions: readonly TimedCaption[]): void {
  for (let index = 0; index + 1 < captions.length; index++) {
    const [caption, next] = captions.slice(index, index + 2) as [TimedCaption, TimedCaption];
    if (next.set.start !== undefined) {
      endBefore(caption, next.start);
      continue;
    }
    if (caption.set.end !== undefined) {
      startAfter(next, caption.end);
      continue;
    }
    next.start = Math.max(next.start, caption.start);
    const overlap = caption.end - next.start;
    if (overlap <= 0) continue;
    const end = Math.max(caption.end, next.end);
    const share = columnsOfRows(caption.rows) / Math.max(1, columnsOfRows(caption.rows) + columnsOfRows(next.rows));
    const fair = caption.start + (end - caption.start) * share;
    const boundary = overlap <= FRAME_SECONDS && next.start > caption.start ? next.start : Math.max(next.start, fair);
    caption.end = boundary;
    next.start = boundary;
    if (next.end <= boundary && next.set.end === undefined) next.end = end;
  }
}

const leavesRoom = (caption: TimedCaption, next: TimedCaption | undefined) =>
  next === undefined || next.start - caption.start >= (next.set.start === undefined ? SHORTEST_SECONDS : LEAST_SECONDS);

/**
 * @param captions  in the order of their starts; changed in place
 * @param audioSeconds  length of the recording: no caption ends later, unless a person set its end
 */
export function setTimes(captions: TimedCaption[], options: LayoutOptions, audioSeconds: number): void {
  const latestStart = Math.max(0, audioSeconds - LEAST_SECONDS);
  for (const caption of captions) {
    // Times of words can lie behind the end of the recording.
    if (caption.set.start === undefined) caption.start = Math.min(caption.start, latestStart);
    if (caption.set.end === undefined) caption.end = Math.min(caption.end, Math.max(audioSeconds, caption.start));
  }
  separate(captions);
  for (const [index, caption] of captions.entries()) {
    if (caption.set.end === undefined) {
      const next = captions[index + 1];
      // Beside one that a person placed, an overlap may remain.
      const limit = Math.min(leavesRoom(caption, next) ? (next?.start ?? audioSeconds) : caption.end, audioSeconds);
      const readable = Math.min(options.maximumDuration, columnsOfRows(caption.rows) / options.readingSpeed);
      const wanted = caption.start + Math.max(options.minimumDuration, readable);
      caption.end = Math.max(Math.min(caption.end, limit), Math.min(wanted, limit));
    } else if (caption.end - caption.start < FRAME_SECONDS) {
      // Its words were moved or taken away since.
      caption.end = caption.start + options.minimumDuration;
    }
    caption.start = milliseconds(caption.start);
    caption.end = milliseconds(caption.end);
  }
}

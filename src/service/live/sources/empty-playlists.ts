// Playlists of HLS without a segment. A server may send some when its stream begins; many in a row have a reason that the session reports.
import { errors } from "../../../platform/errors.ts";
import type { MediaPlaylist } from "./playlist.ts";

/** Playlists in a row without a segment, after which the source counts as interrupted. */
const MOST_EMPTY = 3;

const reasonOf = ({ hasPartials }: MediaPlaylist): string =>
  hasPartials
    ? "its playlist lists partial segments of low latency alone, and whole segments are read"
    : "its playlist lists no segments";

export class EmptyPlaylists {
  private count = 0;

  /** @throws live.source_failed after too many in a row */
  check(playlist: MediaPlaylist): void {
    this.count = playlist.parts.length > 0 || playlist.isEnded ? 0 : this.count + 1;
    if (this.count < MOST_EMPTY) return;
    this.count = 0;
    throw errors.liveSourceFailed(reasonOf(playlist));
  }
}

// Other versions of the text of a paragraph: that of another person, and that of another window.
import type { Edit } from "../edits.ts";

export interface Note {
  theirs: Edit["theirs"];
  elsewhere: string | undefined;
  onKeepMine(): void;
  onUseTheirs(): void;
  onTakeOther(): void;
}

export function Notes({ theirs, elsewhere, onKeepMine, onUseTheirs, onTakeOther }: Note) {
  return (
    <>
      {theirs === undefined ? null : (
        <div class="conflict" role="alert">
          <p>
            Someone else changed this utterance. Their version: <q dir="auto">{theirs || "(deleted)"}</q>
          </p>
          <div class="row">
            <button type="button" onClick={onKeepMine}>
              Keep mine
            </button>
            <button type="button" onClick={onUseTheirs}>
              Use theirs
            </button>
          </div>
        </div>
      )}
      {elsewhere === undefined ? null : (
        <div class="conflict" role="status">
          <p>
            You also change this utterance in another window: <q dir="auto">{elsewhere || "(deleted)"}</q>
          </p>
          <div class="row">
            <button type="button" onClick={onTakeOther}>
              Use that version
            </button>
          </div>
        </div>
      )}
    </>
  );
}

// Other versions of the text of a paragraph: that of another person, and that of another window.

import { t } from "../../language/language.ts";
import { Rich } from "../../language/rich.tsx";
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
            <Rich text={t.saving.theirVersion} parts={[() => <q dir="auto">{theirs || t.saving.deleted}</q>]} />
          </p>
          <div class="row">
            <button type="button" onClick={onKeepMine}>
              {t.saving.keepMine}
            </button>
            <button type="button" onClick={onUseTheirs}>
              {t.saving.useTheirs}
            </button>
          </div>
        </div>
      )}
      {elsewhere === undefined ? null : (
        <div class="conflict" role="status">
          <p>
            <Rich text={t.saving.otherWindow} parts={[() => <q dir="auto">{elsewhere || t.saving.deleted}</q>]} />
          </p>
          <div class="row">
            <button type="button" onClick={onTakeOther}>
              {t.saving.useOther}
            </button>
          </div>
        </div>
      )}
    </>
  );
}

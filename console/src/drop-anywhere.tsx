// Recordings that are dropped on any page of the console are transcribed.
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, withoutPrefix } from "./address.ts";
import { errorMessage } from "./api.ts";
import { isDragged, takeDroppedFiles } from "./dropped-files.ts";
import { t } from "./language/language.ts";
import { notice } from "./parts/notices.tsx";
import { addFiles } from "./tasks.ts";

/** Pages with a transcript or a live session: a drop does not replace them with the list of uploads. */
const STAYING = /^\/(?:live|jobs\/.+)$/;

export function DropAnywhere() {
  const { path, route } = useLocation();
  const inner = withoutPrefix(path);
  useEffect(
    () =>
      takeDroppedFiles(
        (files) => {
          if (files.length === 0) return notice(t.transcribe.nothingDropped, "bad");
          addFiles(files);
          if (STAYING.test(inner)) notice(t.transcribe.dropped(files.length));
          else if (inner !== "/") route(at("/"));
        },
        (error) => notice(errorMessage(error), "bad"),
      ),
    [inner],
  );
  return isDragged.value && inner !== "/" ? (
    <div class="drop-anywhere" aria-hidden="true">
      {t.transcribe.dropAnywhere}
    </div>
  ) : null;
}

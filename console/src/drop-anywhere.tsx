// Recordings that are dropped on any page of the console are transcribed.
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { accountName } from "./account.ts";
import { at, withoutPrefix } from "./address.ts";
import { isDragged, takeDroppedFiles } from "./dropped-files.ts";
import { endFailedUploads, reportFailedUpload } from "./failed-uploads.ts";
import { t } from "./language/language.ts";
import { said } from "./language/messages.ts";
import { notice } from "./parts/notices.tsx";
import { addFiles, whenUploadFails } from "./tasks.ts";

/** Pages with a transcript or a live session: a drop does not replace them with the list of uploads. */
const STAYING = /^\/(?:live|jobs\/.+)$/;

export function DropAnywhere() {
  const { path, route } = useLocation();
  const inner = withoutPrefix(path);
  useEffect(
    () =>
      takeDroppedFiles(({ files, unread }) => {
        if (unread > 0) notice(t.transcribe.unread(unread), "bad");
        else if (files.length === 0) notice(t.transcribe.nothingDropped, "bad");
        if (files.length === 0) return;
        addFiles(files);
        if (STAYING.test(inner)) notice(t.transcribe.dropped(files.length));
        else if (inner !== "/") route(at("/"));
      }),
    [inner],
  );
  useEffect(() => {
    if (inner === "/") endFailedUploads(accountName());
    whenUploadFails((task, message) => {
      if (inner !== "/" && task.account === accountName()) reportFailedUpload(task, said(message));
    });
    return () => whenUploadFails(() => undefined);
  }, [inner]);
  return isDragged.value && inner !== "/" ? (
    <div class="drop-anywhere" aria-hidden="true">
      {t.transcribe.dropAnywhere}
    </div>
  ) : null;
}

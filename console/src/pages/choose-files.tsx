import { t } from "../language/language.ts";
import { addFiles } from "../tasks.ts";

/** Opens the browser's dialog of files, and adds the chosen ones. */
export function ChooseFiles() {
  return (
    <label class="button primary">
      {t.transcribe.chooseFiles}
      <input
        type="file"
        name="files"
        class="unseen"
        multiple
        accept="audio/*,video/*,.mka,.opus,.amr,.wma"
        onChange={({ currentTarget }) => {
          addFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

// What belongs to the account: keys, vocabulary, callbacks, addresses for programs, limits.
import { Callbacks } from "../setup/callbacks.tsx";
import { Keys } from "../setup/keys.tsx";
import { AccountLimits, Programs } from "../setup/programs.tsx";
import { SetupPage } from "../setup/setup-page.tsx";
import { Vocabulary } from "../setup/vocabulary.tsx";
import { VocabularyLists } from "../setup/vocabulary-lists.tsx";

export function AccountPage() {
  return (
    <SetupPage page="account">
      <div class="setup-columns">
        <div>
          <Keys />
          <Programs />
          <Callbacks />
          <AccountLimits />
        </div>
        <div>
          <Vocabulary />
          <VocabularyLists />
        </div>
      </div>
    </SetupPage>
  );
}

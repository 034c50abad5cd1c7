import { useSignal } from "@preact/signals";
import { signIn } from "../account.ts";
import { PAGE_ADDRESS } from "../address.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import { recording } from "../microphone-recording.ts";
import { SignalCheck } from "../parts/check.tsx";
import { useTitle } from "../use-title.ts";
import { StopRecording } from "./recorder.tsx";

export function SignIn() {
  useTitle(t.signIn.title);
  const key = useSignal("");
  const remember = useSignal(true);
  const problem = useSignal("");
  const submit = async (event: Event) => {
    event.preventDefault();
    problem.value = "";
    try {
      await signIn(key.value, remember.value);
      // The page stands for a file of the interface that needed the sign-in.
      if (!PAGE_ADDRESS.test(location.pathname)) location.reload();
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  return (
    <form class="card sign-in" onSubmit={submit}>
      <h1>{t.signIn.title}</h1>
      {recording.value ? (
        <div class="row wrap">
          <p role="status">{t.signIn.recording}</p>
          <StopRecording />
        </div>
      ) : null}
      <p>
        <Rich text={t.signIn.hint} parts={[() => <code dir="ltr">npx --no-install parlance keys create</code>]} />
      </p>
      <label>
        {t.signIn.key}
        <input
          type="password"
          name="key"
          autocomplete="current-password"
          required
          value={key.value}
          aria-describedby="sign-in-problem"
          aria-invalid={problem.value !== ""}
          onInput={(event) => {
            key.value = event.currentTarget.value;
          }}
        />
      </label>
      <SignalCheck signal={remember}>{t.signIn.remember}</SignalCheck>
      <p id="sign-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <button type="submit" class="primary">
        {t.signIn.title}
      </button>
    </form>
  );
}

import { useSignal } from "@preact/signals";
import { signIn } from "../account.ts";
import { PAGE_ADDRESS } from "../address.ts";
import { errorMessage } from "../api.ts";
import { SignalCheck } from "../parts/check.tsx";
import { useTitle } from "../use-title.ts";

export function SignIn() {
  useTitle("Sign in");
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
      <h1>Sign in</h1>
      <p>
        Use an account key. The service printed the first key when it started;{" "}
        <code>npx --no-install parlance keys create</code> creates another.
      </p>
      <label>
        Key
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
      <SignalCheck signal={remember}>Stay signed in on this browser</SignalCheck>
      <p id="sign-in-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <button type="submit" class="primary">
        Sign in
      </button>
    </form>
  );
}

// Parameters of the address, and fields of UpdateConfiguration, that are accepted and change nothing.
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  prompt: "the recogniser takes no instructions; send keyterms_prompt",
  agent_context: "the recogniser takes no context; send keyterms_prompt",
  previous_context_n_turns: "the recogniser takes no context",
  domain: "there is one model for every domain; send keyterms_prompt",
  mode: "there is one mode; end_of_turn_confidence_threshold, min_turn_silence and max_turn_silence apply",
  interruption_delay: "the first Turn is sent with the first words",
  turn_left_pad_ms: "a turn has the audio that its words need",
  session_heartbeat: "no Heartbeat is sent",
  acknowledge_silence: "no Silence is sent",
  customer_support_audio_capture: "audio is stored for the session alone",
  _customer_support_audio_capture: "audio is stored for the session alone",
};

const ALWAYS_SENT = "a Turn is sent whenever the text has changed";
/** Fields whose value true requests what every session does. */
const ALREADY_TRUE: Readonly<Record<string, string>> = {
  continuous_partials: ALWAYS_SENT,
  include_partial_turns: ALWAYS_SENT,
  formatted_finals: "format_turns decides",
};

/** Parameters and fields of UpdateConfiguration that clients send in every conversation. Some of them report each Warning as a failure. */
const ROUTINE = ["agent_context", "previous_context_n_turns"];

/** Whether a warning is about a field that clients send in every conversation. */
export const isRoutine = (warning: string): boolean => ROUTINE.some((name) => warning.startsWith(`${name} `));

export const FIELDS_WITHOUT_EFFECT = [...Object.keys(WITHOUT_EFFECT), ...Object.keys(ALREADY_TRUE)];

/** @returns why a given value has no effect; undefined if it requests what every session does */
export const noEffectReason = (name: string, isFalse: boolean): string | undefined =>
  isFalse ? ALREADY_TRUE[name] : WITHOUT_EFFECT[name];

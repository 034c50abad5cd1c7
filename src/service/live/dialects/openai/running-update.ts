// session.update of a running session: the language, the prompt, the keywords and the turn detection change, for the audio that follows.
import { isDeepStrictEqual } from "node:util";
import type { LiveChange } from "../../../../contract/live-change.ts";
import type { Configuration } from "./configuration.ts";
import type { Problem } from "./problem.ts";
import { fixedFields, liveBodyOf } from "./session-shapes.ts";
import { effectiveTurnDetection, endpointingOf } from "./turn-detection.ts";

export interface RunningUpdate {
  /** In force once the session has the change. */
  configuration: Configuration;
  /** Undefined if the session does not have to change. */
  change: LiveChange | undefined;
  problems: Problem[];
  warnings: string[];
}

/** What of a configuration a running session changes. */
function changeableOf(configuration: Configuration): LiveChange {
  const body = liveBodyOf(configuration, configuration.model);
  const { endpointing, turn_detection, language_config, realtime_processing } = body;
  return {
    ...(endpointing === undefined ? {} : { endpointing }),
    turn_detection: turn_detection ?? { mode: "silence" },
    ...(language_config ? { language_config } : {}),
    realtime_processing: { custom_vocabulary: false, ...realtime_processing },
  };
}

/**
 * @param next             what the client sent, upon `current`
 * @param speechThreshold  of the session, which stays
 */
export function runningUpdate(next: Configuration, current: Configuration, speechThreshold: number): RunningUpdate {
  const warnings: string[] = [];
  let configuration = next;
  const detection = effectiveTurnDetection(next.turnDetection, next.model);
  if (detection?.type === "server_vad" && endpointingOf(detection).speechThreshold !== speechThreshold) {
    configuration = { ...next, turnDetection: { ...detection, threshold: speechThreshold } };
    if (!isDeepStrictEqual(next.turnDetection, current.turnDetection))
      warnings.push(
        `session.audio.input.turn_detection.threshold stays ${speechThreshold}: it cannot be changed after the first audio`,
      );
  }
  const problems: Problem[] = [];
  const fixed = fixedFields(current, configuration);
  if (fixed.length > 0) {
    const message = `${fixed.join(", ")} cannot be changed after the first audio; open a new connection`;
    problems.push({ code: "session_has_begun", message, param: fixed[0] ?? null });
  }
  const change = changeableOf(configuration);
  const isChanged = !isDeepStrictEqual(change, changeableOf(current));
  return { configuration, change: isChanged ? change : undefined, problems, warnings };
}

// A process that writes results, runs add-ons, divides live sessions by speakers and answers questions, so that the dictionaries and the
// computation do not burden the service process. work/ has a file for each.
import { type ServedCall, serveParent } from "../../../platform/process/child.ts";
import { limitProviders, onBehalfOf } from "../turns.ts";
import type { ResultRequest, ResultResponse } from "./message.ts";
import { receivedMessage, type Sent, type SentCall, sentMessage } from "./sent-message.ts";
import { addToResult, spokenIn } from "./work/add-to-result.ts";
import { answerAbout } from "./work/answer-question.ts";
import { assembleResult } from "./work/assemble-result.ts";
import { diarizeSession } from "./work/diarize-session.ts";
import { runOneAddon } from "./work/run-one-addon.ts";

async function answer(
  request: ResultRequest,
  { signal, text }: Pick<ServedCall, "signal" | "text">,
): Promise<ResultResponse> {
  switch (request.kind) {
    case "assemble":
      return assembleResult(request, signal);
    case "add":
      return addToResult(request, signal);
    case "spoken":
      return { kind: "spoken", ...(await spokenIn(request.stored)) };
    case "question":
      return answerAbout(request, (event) => text(JSON.stringify(event)));
    case "diarize":
      return { kind: "diarized", ...(await diarizeSession(request)) };
    case "addon": {
      const { kind: _, ...input } = request;
      return runOneAddon(input);
    }
    default:
      // A message that is no request of this version.
      throw new Error("no such request");
  }
}

function handle(
  { tenant, request }: SentCall,
  { signal, computing, progress, text }: ServedCall,
): Promise<Sent<ResultResponse>> {
  const onTurn = () => {
    computing();
    progress(0);
  };
  return onBehalfOf({ tenant, signal, onTurn }, async () =>
    sentMessage(await answer(await receivedMessage(request), { signal, text })),
  );
}

const [requests, requestsPerTenant] = process.argv.slice(2).map(Number);
if (requests && requestsPerTenant) limitProviders({ requests, requestsPerTenant });
serveParent(handle, { isShared: true });

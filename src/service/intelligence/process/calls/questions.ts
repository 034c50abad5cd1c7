// Answers questions about results, beside the other calls: a person waits for them.
import type { CitedAnswer, QuestionEvent } from "../../../../contract/questions.ts";
import { errors, toParlanceError } from "../../../../platform/errors.ts";
import { FairSlots } from "../../../../platform/process/fairness/fair-slots.ts";
import type { QuestionRequest, ResultRequest } from "../message.ts";
import { isLoss, type ResultProcesses } from "../result-processes.ts";

/** Bounds of the questions answered and waiting; each one being answered has a transcript in memory. */
const QUESTIONS = { slots: 8, slotsPerTenant: 4, waiting: 64, waitingPerTenant: 16 };

export class Questions {
  private readonly slots = new FairSlots({
    ...QUESTIONS,
    full: () => errors.questionsBusy(QUESTIONS.waitingPerTenant, QUESTIONS.waiting),
  });

  constructor(private readonly processes: Pick<ResultProcesses, "sendOnce" | "providers">) {}

  /**
   * Answers a question about a result. QUESTIONS bounds how many are answered and wait; further ones are refused.
   * @param question  read when its turn has come: it may have 20 MB of corrections
   * @param onEvent  receives progress, citations and pieces of the answer, in order
   * @throws questions.unavailable, questions.failed, questions.busy, work.aborted
   */
  async answer(
    tenant: string,
    question: () => Promise<QuestionRequest>,
    signal: AbortSignal,
    onEvent: (event: QuestionEvent) => void,
  ): Promise<CitedAnswer> {
    const onText = (text: string) => onEvent(JSON.parse(text) as QuestionEvent);
    const { providers } = this.processes;
    const work = async () => {
      const request: ResultRequest = { kind: "question", providers, ...(await question()) };
      return this.processes.sendOnce({ tenant, request }, signal, onText);
    };
    try {
      const response = await this.slots.run(tenant, work, signal);
      if (response.kind !== "answered") throw errors.internal(response);
      return response.answer;
    } catch (thrown) {
      if (!signal.aborted && isLoss(toParlanceError(thrown).code))
        throw errors.questionFailed("The process that writes the answer ended; ask again");
      throw thrown;
    }
  }
}

// Reads the server-sent events of an answer.

import { t } from "../language/language.ts";
import type { AnswerEvent } from "../shapes.ts";

/** @throws Error where the stream ends before the answer is complete */
export async function* questionEvents(response: Response): AsyncGenerator<AnswerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let open = "";
  let isComplete = false;
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const blocks = (open + read.value).split("\n\n");
    open = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data) as AnswerEvent;
      isComplete ||= event.type === "done" || event.type === "error";
      yield event;
    }
  }
  if (!isComplete) throw new Error(t.questions.cut);
}

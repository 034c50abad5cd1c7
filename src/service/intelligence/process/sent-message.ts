// Messages to and from a result process, as they are sent: what grows with the length of a session is divided into pieces.
import { joinedPieces, type PiecedValue, piecedValue } from "../../../platform/process/pieced-value.ts";
import type { ResultRequest, ResultResponse } from "./message.ts";

/** Fields with transcripts. Results are files, and one utterance is small. */
const LARGE_FIELDS: { [Kind in (ResultRequest | ResultResponse)["kind"]]?: readonly string[] } = {
  addon: ["transcription", "english"],
  diarize: ["transcription"],
  diarized: ["transcription"],
  answer: ["answer"],
};

export interface Sent<Message> {
  /** Without its large fields. */
  message: Message;
  large?: PiecedValue;
}

/** A request with its large fields divided. */
export interface SentCall {
  tenant: string;
  request: Sent<ResultRequest>;
}

export async function sentMessage<Message extends ResultRequest | ResultResponse>(
  message: Message,
): Promise<Sent<Message>> {
  const names = LARGE_FIELDS[message.kind];
  if (!names || ("isRealtime" in message && message.isRealtime)) return { message };
  const of = (isLarge: boolean) =>
    Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name) === isLarge));
  return { message: of(false) as Message, large: await piecedValue(of(true)) };
}

export async function receivedMessage<Message>({ message, large }: Sent<Message>): Promise<Message> {
  return large ? { ...message, ...((await joinedPieces(large)) as Partial<Message>) } : message;
}

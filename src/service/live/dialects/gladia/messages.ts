// Messages of Gladia's live protocol, as contract/live-messages.ts defines them.
import type { MessageBody, ServerMessage } from "../../../../contract/live-messages.ts";

export type { MessageBody } from "../../../../contract/live-messages.ts";
export type Message = ServerMessage;
export type MessageType = MessageBody["type"];
export type BodyOf<Type extends MessageType> = Extract<MessageBody, { type: Type }>;

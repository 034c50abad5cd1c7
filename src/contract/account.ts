// The account of a key, its keys, and what its callbacks are signed with.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DateTime, Name, Nullable } from "./fields.ts";

const noLimit = { minimum: 0, description: "0 is no limit" };

export const AccountBody = Type.Object(
  {
    name: Type.String(),
    limits: Type.Object({
      requests_per_second: Type.Number(noLimit),
      concurrent_jobs: Type.Integer(noLimit),
      live_sessions: Type.Integer(noLimit),
      upload_bytes: Type.Number(),
      audio_seconds: Type.Number(),
    }),
  },
  { title: "Account" },
);
export type Account = Static<typeof AccountBody>;

export const KeyBody = Type.Object(
  { id: Type.String({ format: "uuid" }), name: Type.String(), created_at: DateTime() },
  { title: "Key" },
);
export type Key = Static<typeof KeyBody>;

export const KeysBody = Type.Object({ items: Type.Array(KeyBody) }, { title: "Keys" });
export type Keys = Static<typeof KeysBody>;
export const KeyParams = Type.Object({ id: Name() });

export const NewKeyBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }, { title: "NewKey" });

export const MadeKeyBody = Type.Object(
  { ...KeyBody.properties, key: Type.String({ description: "Shown this once" }) },
  { title: "MadeKey" },
);
export type MadeKey = Static<typeof MadeKeyBody>;

export const SecretBody = Type.Object(
  {
    secret: Type.String({ description: "For the verifying libraries of the Standard Webhooks specification" }),
    previous_secret: Nullable(Type.String({ description: "Signs too until it is retired" })),
  },
  { title: "CallbackSecret" },
);
export type CallbackSecret = Static<typeof SecretBody>;

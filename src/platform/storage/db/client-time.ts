// Times of clients, such as the bounds of a list: they are compared with rows, and do not decide what happens to them.
import type { DatabaseTime } from "./database-time.ts";

export const clientTime = (time: Date) => time as DatabaseTime;

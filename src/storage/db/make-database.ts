// Makes the files of an embedded database and ends: in a process of its own, because this takes 500 MB of memory that a
// process which goes on would keep.
import { PGlite } from "@electric-sql/pglite";

const database = await PGlite.create(process.argv[2] as string);
await database.close();

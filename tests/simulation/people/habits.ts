import type { Habit } from "./visitor.ts";
import * as administrators from "./administrators.ts";
import * as drafters from "./drafters.ts";
import * as directories from "./directories.ts";
import * as holders from "./holders.ts";
import * as readers from "./readers.ts";
import * as bulk from "./bulk.ts";
import * as approvers from "./approvers.ts";
import * as staff from "./staff.ts";
import * as outsiders from "./outsiders.ts";
import * as importers from "./importers.ts";
import * as integrations from "./integrations.ts";
import * as releasers from "./releasers.ts";

/** By the names in `cast.ts`. */
export const habits: Record<string, Habit> = {
  ...administrators,
  ...drafters,
  ...approvers,
  ...bulk,
  ...staff,
  ...outsiders,
  ...importers,
  ...integrations,
  ...directories,
  ...holders,
  ...readers,
  ...releasers,
};

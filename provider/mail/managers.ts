import { type Actor, mayCall } from "../access.ts";
import type { Access } from "../contract/call.ts";
import { actorRows, asActor } from "../db/actors.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import type { Message } from "./mail.ts";
import { enqueueMessage } from "./outbox.ts";

const maxMails = 20;

type Managers = { company_id: number; access: Access };

/** Mails those of a company's users who may make calls with this access, in the transaction that causes it. */
export async function mailManagers(
  services: Services,
  db: Db,
  { company_id, access }: Managers,
  messageTo: (user: Actor) => Message,
) {
  const users = await actorRows(db)
    .where("users.company_id", "=", company_id)
    .where("users.password_hash", "is not", null)
    .orderBy("users.id")
    .execute();
  const managers = users.map(asActor).filter((user) => mayCall(access, user));
  for (const user of managers.slice(0, maxMails))
    await enqueueMessage(services, db, messageTo(user), { userId: user.id });
}

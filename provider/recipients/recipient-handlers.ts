import type { Actor } from "../access.ts";
import * as contract from "../contract/recipients.ts";
import { findDocument } from "../documents/document-queries.ts";
import type { On } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { limitByKey } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { recipientsOf } from "./recipient-queries.ts";
import { endRecipient, eraseRecipients, remindRecipient, sendDocument } from "./recipients.ts";
import { changeRecipientSettings, recipientSettings } from "./settings.ts";

/** Documents sent to recipients, for staff. */
export function serveRecipients(on: On, services: Services) {
  const { db } = services;
  const reminders = limitByKey(services, "recipient_reminders");
  const reply = async (documentId: number, id: number) => {
    const recipient = (await recipientsOf(db, documentId)).find((one) => one.id === id);
    if (!recipient) throw notFound();
    return recipient;
  };

  on(contract.getRecipientSettings, ({ actor }) => recipientSettings(db, actor.company_id));
  on(contract.updateRecipientSettings, ({ caller, body }) => changeRecipientSettings(services, caller, body));
  on(contract.eraseRecipient, async ({ caller, body }) => ({
    erased: await eraseRecipients(services, caller, body.email),
  }));

  on(contract.listRecipients, async ({ actor, params }) => recipientsOf(db, (await visible(actor, params.id)).id));
  on(contract.sendDocument, async ({ caller, params, body }) =>
    reply(params.id, await sendDocument(services, caller, params.id, body)),
  );
  on(contract.remindRecipient, async ({ caller, actor, params }) => {
    await visible(actor, params.id);
    await reply(params.id, params.n);
    await reminders.count(`${actor.id} ${params.n}`);
    await remindRecipient(services, caller, params.id, params.n);
    return reply(params.id, params.n);
  });
  on(contract.endRecipient, async ({ caller, params }) => {
    await endRecipient(services, caller, params.id, params.n);
    return reply(params.id, params.n);
  });

  async function visible(actor: Actor, id: number) {
    const document = await findDocument(db, actor, id);
    if (!document) throw notFound();
    return document;
  }
}

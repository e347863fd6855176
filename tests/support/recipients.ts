import PostalMime from "postal-mime";
import { mailsIn } from "./mails.ts";
import { type TestServer, until } from "./server.ts";
import { inDatabase } from "./stored.ts";
import { issued } from "./visitor.ts";

export { wordsOf } from "#lib/messages/words.ts";

/** Documents that are sent to recipients by a server whose mails lie in its outbox folder. */

const recipient = { name: "Rita Reader", email: "rita@recipient.example" };

const linkIn = (mail: string) => /http\S+(\/received\/open\?token=[\w-]+)/.exec(mail)?.[1];

/** Turns sending on, and returns a document that was sent, with the link of its mail. */
export async function sentDocument(server: TestServer, fields: Record<string, string> = {}) {
  const document = await issued(server.url);
  const { client, path } = document;
  const settings = { intent: "set-recipients", delivers: "1", delivery_days: "90", delivery_pages: "1" };
  await client.post("/settings/recipients", settings);
  const before = mailsIn(server.data).length;
  const email = fields.email ?? recipient.email;
  await client.post(path, { intent: "send", ...recipient, language: "en", ...fields });
  const link = () => mailsIn(server.data).slice(before).map(linkIn).find(Boolean);
  await until(() => link() !== undefined, "the mail");
  return { ...document, email, link: link()! };
}

let others = 0;

/** Has the documents of an address be sent to another one as well, which it returns. */
export function sentToAnother(server: TestServer, email: string): string {
  const other = `another${++others}@recipient.example`;
  const columns = "company_id, document_id, name, language, created_at, sent_at";
  inDatabase(server, (database) =>
    database
      .prepare(
        `insert into recipients (${columns}, email, email_key) select ${columns}, ?, ? from recipients where email = ?`,
      )
      .run(other, other, email),
  );
  return other;
}

/** Waits for the code that was sent to an address. */
export async function codeFor(server: TestServer, to: string): Promise<string> {
  let code: string | undefined;
  await until(async () => {
    const mails = await Promise.all(mailsIn(server.data).map((mail) => PostalMime.parse(mail)));
    const mail = mails.findLast((one) => one.to?.some(({ address }) => address === to));
    code = /^\d{6}$/m.exec(mail?.text ?? "")?.[0];
    return code !== undefined;
  }, "the code");
  return code!;
}

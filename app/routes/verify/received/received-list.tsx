import { asTheirs } from "#lib/messages/isolates.ts";
import type { ReceivedRow } from "#provider/contract/received.ts";
import { theirs } from "../record.tsx";
import { Said, useAddress, useWords } from "../said.tsx";
import { Sheet } from "../sheet.tsx";

export type ReceivedProps = { email: string; documents: ReceivedRow[]; is_partial: boolean };

/** What was sent to an address, by company. */
export function Received({ email, documents, is_partial: isPartial }: ReceivedProps) {
  const { t } = useWords();
  const companies = [...Map.groupBy(documents, ({ company }) => company)];
  return (
    <Sheet title={t("received.mine")}>
      <div className="part">
        <h1>{t("received.mine")}</h1>
        <p className="muted">
          <Said text={documents.length > 0 ? t("received.sentTo", { email }) : t("received.none", { email })} />
        </p>
        {isPartial && <p>{t("received.newest", { count: documents.length })}</p>}
        {companies.map(([company, own]) => (
          <section key={company} className="received">
            <h2>
              <Said text={asTheirs(company)} />
            </h2>
            <ul>
              {own.map((document) => (
                <li key={document.id}>
                  <DocumentLink {...document} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <form method="post" className="part foot">
        <button type="submit" className="btn" name="intent" value="end">
          {t("received.end")}
        </button>
      </form>
    </Sheet>
  );
}

function DocumentLink({ id, number, document_type, document_subtype, date: dated, expire_date }: ReceivedRow) {
  const { t, date } = useWords();
  const to = useAddress();
  return (
    <>
      <a href={to(`/received/${id}`)}>
        <Said text={theirs(document_type, document_subtype)} />
      </a>
      <br />
      <span className="muted">
        <Said text={theirs(number)} /> · <Said text={date(dated)} />
        {expire_date && (
          <>
            {" · "}
            {t("fact.validUntil")} <Said text={date(expire_date)} />
          </>
        )}
      </span>
    </>
  );
}

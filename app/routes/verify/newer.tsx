import { data } from "react-router";
import { asTheirs } from "#lib/messages/isolates.ts";
import type { NewerDocument, Verification } from "#provider/contract/verify.ts";
import { VerdictSeal } from "../../components/scan/verdict-icons.tsx";
import { verdictIcons, verdictLooks } from "../../components/scan/verdict-words.ts";
import { spokenIn } from "../../server/request/language.ts";
import type { Route } from "./+types/newer";
import { check } from "./check.server.ts";
import { headersOfCode } from "./headers.ts";
import { NoRecord } from "./no-record.tsx";
import { Fact, theirs } from "./record.tsx";
import { InLanguage, Said, useAddress, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";
import { issuerLanguageOf, lookOf, type Outcome, Verdict } from "./verdict.tsx";

/** Whether the document that replaced the one of a code is in force. Its own code stays unknown. */

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { outcome, status, retryAfter } = await check(context, { code: params.code, digits: "", number: "" });
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return data(
    { outcome, ...spokenIn(context, request), issuerLanguage: issuerLanguageOf(outcome) },
    { status, headers },
  );
}

export const headers: Route.HeadersFunction = headersOfCode;

export default function NewerVersion({ loaderData: { outcome, ...spoken }, params }: Route.ComponentProps) {
  const back = `/v/${encodeURIComponent(outcome.kind === "found" ? outcome.document.code : params.code)}`;
  const newer = outcome.kind === "found" && outcome.document.replaced_by;
  return (
    <InLanguage spoken={spoken}>
      {newer ? (
        <Newer older={outcome.document} newer={newer} back={back} />
      ) : (
        <NothingNewer outcome={outcome} back={back} />
      )}
    </InLanguage>
  );
}

function NothingNewer({ outcome, back }: { outcome: Outcome; back: string }) {
  const words = useWords();
  return (
    <Sheet title={lookOf(outcome, words).title}>
      <Verdict outcome={outcome} />
      {outcome.kind === "found" ? <Back to={back} /> : <NoRecord outcome={outcome} address={back} />}
    </Sheet>
  );
}

type NewerProps = { older: Verification; newer: NewerDocument; back: string };

function Newer({ older: { company, number }, newer, back }: NewerProps) {
  const { t, date, join } = useWords();
  const { ended } = newer;
  const isExpired = ended?.reason === "expired";
  const since = date(ended?.since ?? "");
  // Never green: who holds up this page has the older paper.
  const { tone } = verdictLooks.withdrawn;
  const title = t(ended ? "newer.title.ended" : "newer.title.inForce", { number: newer.number });
  const end = ended
    ? t(isExpired ? "newer.expired" : "newer.withdrawn", { newer: newer.number, date: since })
    : t("newer.replaces", { newer: newer.number, number });
  const inForce = ended
    ? t(isExpired ? "fact.inForce.expired" : "fact.inForce.withdrawn", { date: since })
    : t("fact.inForce.yes");
  return (
    <Sheet title={title}>
      <div className={`verdict verdict-${tone}`}>
        <VerdictSeal icon={verdictIcons[tone]} />
        <h1>
          <Said text={title} />
        </h1>
        <p>
          <Said text={join(end, t("newer.paper", { number }))} />
        </p>
      </div>
      <div className="part">
        <dl>
          <Fact name={t("fact.number")} value={asTheirs(newer.number)} />
          <Fact name={t("fact.type")} value={theirs(newer.document_type, newer.document_subtype)} />
          <Fact name={t("fact.issuer")} value={asTheirs(company)} />
          <Fact name={t("fact.date")} value={date(newer.date)} />
          <Fact name={t("fact.inForce")} value={inForce} />
          {ended ? (
            <Fact name={t("fact.endedOn")} value={since} />
          ) : (
            <Fact name={t("fact.validUntil")} value={newer.expire_date ? date(newer.expire_date) : t("fact.noEnd")} />
          )}
          <Fact name={t("fact.replaces")} value={asTheirs(number)} />
        </dl>
        <p className="muted">
          <Said text={t("newer.how", { number: newer.number })} />
        </p>
      </div>
      <Back to={back} />
    </Sheet>
  );
}

function Back({ to }: { to: string }) {
  const { t } = useWords();
  const address = useAddress();
  return (
    <div className="part foot">
      <a className="btn" href={address(to)}>
        {t("frame.back")}
      </a>
    </div>
  );
}

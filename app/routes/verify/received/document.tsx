import { spokenIn } from "../../../server/request/language.ts";
import { holdersProvider, orSignIn } from "../../../server/sessions/holder.ts";
import { checkedNow } from "../answer.server.ts";
import { isAhead } from "../check.server.ts";
import { headersOfCode } from "../headers.ts";
import { LogEntry, OpenPages, RecordFacts } from "../record.tsx";
import { InLanguage, useAddress, useWords } from "../said.tsx";
import { Sheet } from "../sheet.tsx";
import { lookOf, type Outcome, Verdict } from "../verdict.tsx";
import type { Route } from "./+types/document";

/** A document for its holder: the verdict and facts of its verification page, its sealed PDF, and pages if the company shows them. */

export const headers: Route.HeadersFunction = headersOfCode;

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = await holdersProvider({ request, context }, params.id);
  const document = await orSignIn(url, provider.getReceived({ params }));
  const outcome: Outcome = { kind: "found", document, typed: "", isAhead: isAhead(document) };
  const spoken = spokenIn(context, request);
  const checked = checkedNow(outcome, spoken.language);
  return { outcome, checked, hasWallet: document.wallet, ...spoken, issuerLanguage: document.language };
}

export default function ReceivedDocument({ loaderData, params }: Route.ComponentProps) {
  const { outcome, checked, hasWallet, ...spoken } = loaderData;
  return (
    <InLanguage spoken={spoken}>
      <Held id={params.id} outcome={outcome} checked={checked} hasWallet={hasWallet} />
    </InLanguage>
  );
}

type HeldProps = {
  id: string;
  outcome: Extract<Outcome, { kind: "found" }>;
  checked: Route.ComponentProps["loaderData"]["checked"];
  /** Whether it can be added to a wallet. */
  hasWallet: boolean;
};

function Held({ id, outcome, checked, hasWallet }: HeldProps) {
  const words = useWords();
  const to = useAddress();
  const { t } = words;
  const { document } = outcome;
  return (
    <Sheet title={lookOf(outcome, words).title} footer={t("checked.when", checked)}>
      <Verdict outcome={outcome} />
      <div className="part">
        <p className="acts">
          <a className="btn btn-primary" href={`/received/${id}/sealed.pdf`} download>
            {t("received.save")}
          </a>
          <a className="btn" href={`/received/${id}/proof.zip`} download>
            {t("received.saveProof")}
          </a>
        </p>
        {hasWallet && (
          <form method="post" action={to(`/received/${id}/wallet`)} className="tell">
            <p>
              <button type="submit" className="btn">
                {t("wallet.add")}
              </button>
            </p>
          </form>
        )}
        <RecordFacts document={document} />
        <LogEntry document={document} />
        <OpenPages document={document} at={`/received/${id}`} />
      </div>
      <div className="part foot">
        <a className="btn" href={to("/received")}>
          {t("received.mine")}
        </a>
      </div>
    </Sheet>
  );
}

import { Check } from "lucide-react";
import { t, tRich } from "#lib/messages/staff.ts";
import { Facts } from "../../../components/record/facts.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import type { PageOffer } from "./page-offers.server.ts";

/** What a draft's pages say of its fields. Nothing is filled in without a button of these. */

/** Where a field's value stands on the pages, and a button to use it, after which the focus goes to an element by its id. */
function Offer({ offer: { label, values, isUsed, page, at }, n, next }: { offer: PageOffer; n: number; next: string }) {
  if (isUsed) return <PageMark page={page} />;
  const words = { page, at, value: values[0]!, other: values[1] ?? "" };
  return (
    <>
      {values.length > 1
        ? t("documents.wizard.pageOffers.pageMaySay", words)
        : at
          ? t("documents.wizard.pageOffers.pageSaysAt", words)
          : t("documents.wizard.pageOffers.pageSays", words)}
      <span className="-ml-2 block">
        {values.map((value) => (
          <button
            type="submit"
            key={value}
            className="row-act text-left"
            name="intent"
            value={["use", n, value].join(" ")}
            data-focus-next={next}
          >
            {tRich("documents.wizard.pageOffers.use", { value, label, hidden })}
          </button>
        ))}
      </span>
    </>
  );
}

const PageMark = ({ page }: { page: number }) => (
  <span className="inline-flex items-center gap-1 text-muted">
    <Check className="ico" />
    {t("documents.wizard.pageOffers.asOnPage", { page })}
  </span>
);

type MarkedFactsProps = { offers: PageOffer[]; facts: [label: string, value: string | undefined][] };

/** Facts, of which those are marked that a page has as well. */
export const MarkedFacts = ({ offers, facts }: MarkedFactsProps) => (
  <Facts
    facts={facts.map(([label, value]) => {
      const used = offers.find((offer) => offer.isUsed && offer.label === label);
      return [label, used ? [value, " ", <PageMark key="page" page={used.page} />] : value];
    })}
  />
);

export const offersByField = (offers: PageOffer[]) =>
  Object.fromEntries(offers.map((offer, n) => [offer.field, <Offer key={n} offer={offer} n={n} next={offer.field} />]));

/** All offers, or those of custom fields alone. */
export function PageOffers({ offers, isCustom = false }: { offers: PageOffer[]; isCustom?: boolean }) {
  const rows = offers.map((offer, n) => ({ offer, n })).filter(({ offer }) => !isCustom || offer.isCustom);
  if (rows.length === 0) return false;
  return (
    <section className="mt-5" aria-labelledby="page-offers">
      <h3 id="page-offers" tabIndex={-1}>
        {t("documents.wizard.pageOffers.heading")}
      </h3>
      <p className="hint">{t("documents.wizard.pageOffers.hint")}</p>
      <Facts
        isNarrow
        facts={rows.map(({ offer, n }) => [
          offer.label,
          [
            offer.current && <p key="current">{offer.current}</p>,
            <Offer key="offer" offer={offer} n={n} next="page-offers" />,
          ],
        ])}
      />
    </section>
  );
}

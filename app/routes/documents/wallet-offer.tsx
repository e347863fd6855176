import { data, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Form } from "../../components/form/form.tsx";
import { formState } from "../../components/form/form-state.ts";
import { type Qr, QrDrawing } from "../../components/scan/qr-drawing.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { qrPath } from "../../server/forms/qr-path.ts";
import { getProvider } from "../../server/provider/context.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/wallet-offer";

/** Offers a document to one wallet, by a QR code or a link that can be used once. */

export const headers = actionHeaders;

export async function loader({ context, params }: Route.LoaderArgs) {
  requireOffer(context, "wallets");
  const { id, name, number } = await getProvider(context).getDocument({ params });
  return { document: { id, name, number } };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requireOffer(context, "wallets");
  const schema = z.object({});
  const form = await readForm(request, schema);
  // Shown in the reply itself, so that it is stored nowhere.
  let made: { offer: string; qr: Qr } | undefined;
  const handled = await handleForm(form, {
    schema,
    async save() {
      const { offer } = await getProvider(context).createWalletOffer({ params });
      made = { offer, qr: qrPath(offer) };
      return redirect(`/documents/${params.id}/wallet`);
    },
  });
  return made ? data(made) : handled;
}

export default function WalletOffer({ loaderData: { document }, actionData }: Route.ComponentProps) {
  const made = actionData && "offer" in actionData ? actionData : undefined;
  const { summary } = formState({}, actionData && !("offer" in actionData) ? actionData : undefined);
  return (
    <>
      <PageTitle title={t("documents.walletOffer.title", { name: document.name })} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to={`/documents/${document.id}`}>{t("common.backToName", { name: document.name })}</BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>{t("common.addToWallet")}</h1>
          <p className="code mt-1 text-muted" translate="no">
            {document.number}
          </p>
        </div>
      </div>
      <section className="panel max-w-[44rem]" aria-label={t("common.addToWallet")}>
        <div className="grid gap-4 px-5 py-5 max-md:px-4">
          {made ? <Offer {...made} /> : <p>{t("documents.walletOffer.how")}</p>}
        </div>
        <Form method="post" className="panel-foot !py-4">
          <button type="submit" className={made ? "btn btn-quiet" : "btn btn-primary"}>
            {made ? t("documents.walletOffer.another") : t("documents.walletOffer.make")}
          </button>
        </Form>
      </section>
    </>
  );
}

const Offer = ({ offer, qr }: { offer: string; qr: Qr }) => (
  <>
    <p>{t("documents.walletOffer.scan")}</p>
    <QrDrawing qr={qr} label={t("documents.walletOffer.qrCode")} width={280} />
    <p>
      <a className="btn btn-primary" href={offer}>
        {t("documents.walletOffer.open")}
      </a>
    </p>
    <details>
      <summary>{t("documents.walletOffer.asText")}</summary>
      <p className="code mt-2 text-sm [overflow-wrap:anywhere] select-all" translate="no">
        {offer}
      </p>
    </details>
  </>
);

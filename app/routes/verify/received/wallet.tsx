import { data } from "react-router";
import { wordsOf } from "#lib/messages/words.ts";
import { type Qr, QrDrawing } from "../../../components/scan/qr-drawing.tsx";
import { readForm } from "../../../server/forms/forms.ts";
import { qrPath } from "../../../server/forms/qr-path.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { spokenIn } from "../../../server/request/language.ts";
import { holdersProvider, orSignIn } from "../../../server/sessions/holder.ts";
import { headersOfCode } from "../headers.ts";
import { refusalOf } from "../refusals.server.ts";
import { InLanguage, useAddress, useWords } from "../said.tsx";
import { Sheet } from "../sheet.tsx";
import type { Route } from "./+types/wallet";

/** Offers a document to a wallet of its holder, by a QR code or a link that can be used once. */

export const headers: Route.HeadersFunction = headersOfCode;

export const loader = ({ request, context }: Route.LoaderArgs) => spokenIn(context, request);

export async function action({ request, context, params, url }: Route.ActionArgs) {
  await readForm(request);
  const provider = await holdersProvider({ request, context }, params.id);
  const { language } = spokenIn(context, request);
  try {
    const { offer } = await orSignIn(url, provider.createReceivedOffer({ params }));
    // Shown in the reply itself, so that it is stored nowhere.
    return { made: { offer, qr: qrPath(offer) }, refused: "" };
  } catch (thrown) {
    const failed = asFailure(thrown, 409, 429, 503);
    if (!failed) throw thrown;
    const { refused, init } = refusalOf(failed, wordsOf(language), { 409: "wallet.refused" });
    return data({ made: undefined, refused }, init);
  }
}

export default function ReceivedWallet({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <InLanguage spoken={loaderData}>
      <Offered id={params.id} made={actionData?.made} refused={actionData?.refused ?? ""} />
    </InLanguage>
  );
}

type OfferedProps = { id: string; made: { offer: string; qr: Qr } | undefined; refused: string };

function Offered({ id, made, refused }: OfferedProps) {
  const { t } = useWords();
  const to = useAddress();
  return (
    <Sheet title={t("wallet.add")} hasErrors={refused !== ""}>
      <div className="part">
        <h1>{t("wallet.add")}</h1>
        {refused && <p role="alert">{refused}</p>}
        {made ? (
          <div className="tell">
            <p>{t("wallet.scan")}</p>
            <QrDrawing qr={made.qr} label={t("wallet.qr")} width={280} />
            <p>
              <a className="btn btn-primary" href={made.offer}>
                {t("wallet.open")}
              </a>
            </p>
          </div>
        ) : (
          <form method="post" className="tell">
            <button type="submit" className="btn btn-primary">
              {t("wallet.add")}
            </button>
          </form>
        )}
      </div>
      <div className="part foot">
        <a className="btn" href={to(`/received/${id}`)}>
          {t("received.link.open")}
        </a>
      </div>
    </Sheet>
  );
}

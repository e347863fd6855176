import { Download, ShieldCheck } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { showSize } from "#lib/messages/staff-sizes.ts";
import { maxProofs } from "#provider/contract/sealed-pdfs.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { requireOffer } from "../../server/sessions/current-user.ts";
import { redirectWithRefusal } from "../../server/sessions/session.ts";
import type { Route } from "./+types/sealed-pdfs";

const list = "/documents/list";

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOffer(context, "sealedPdfs");
  const query = Object.fromEntries(["ids", "all", "filters"].map((name) => [name, searchParams.get(name) ?? ""]));
  try {
    const plan = await getProvider(context).planSealedPdfs({ query });
    return { plan, maxProofs, file: `/files/sealed-pdfs.zip?${new URLSearchParams(query)}` };
  } catch (thrown) {
    const [refusal] = Object.values(asFailure(thrown, 422)?.errors ?? {}).flat();
    throw refusal === undefined ? thrown : redirectWithRefusal(context, list, refusal);
  }
}

/** Says what the archive of chosen documents will have and leave out. */
export default function SealedPdfs({ loaderData: { plan, maxProofs, file } }: Route.ComponentProps) {
  const { documents, files, bytes, left_out } = plan;
  const reasons = { "no pages": t("documents.sealedPdfs.noPages"), "not sealed yet": t("documents.sealedPdfs.notYet") };
  return (
    <>
      <PageTitle title={t("common.sealedPdfs")} />
      <BackLink to={list}>{t("common.backToTheListOfDocuments")}</BackLink>
      <h1 className="mt-1 mb-4">{t("common.sealedPdfs")}</h1>
      <section className="panel max-w-[44rem] p-5 max-md:p-4" aria-label={t("common.sealedPdfs")}>
        <p>
          {files > 0
            ? t("documents.sealedPdfs.inTheZip", { documents, files, size: showSize(bytes) })
            : t("documents.sealedPdfs.nothingYet")}
        </p>
        {left_out.length > 0 && (
          <>
            <h2 className="mt-4">{t("documents.sealedPdfs.leftOut")}</h2>
            <p className="text-muted">{t("documents.sealedPdfs.whyLeftOut")}</p>
            <ul className="mt-2 list-disc pl-5 wrap-anywhere" aria-label={t("documents.sealedPdfs.leftOut")}>
              {left_out.map(({ id, number, name, reason }) => (
                <li key={id}>{t("documents.sealedPdfs.leftOutFor", { number, name, reason: reasons[reason] })}</li>
              ))}
            </ul>
          </>
        )}
        {files > 0 && (
          <a className="btn btn-primary mt-5" href={file} download>
            <Download className="ico" />
            {t("documents.sealedPdfs.download")}
          </a>
        )}
        {files > 0 && (
          <>
            <h2 className="mt-6">{t("documents.sealedPdfs.proof")}</h2>
            <p className="text-muted">
              {files > maxProofs
                ? t("documents.sealedPdfs.tooManyForProof", { most: maxProofs })
                : t("documents.sealedPdfs.whatProofIs")}
            </p>
            {files <= maxProofs && (
              <a className="btn btn-quiet mt-3" href={`${file}&proof=1`} download>
                <ShieldCheck className="ico" />
                {t("documents.sealedPdfs.downloadProof")}
              </a>
            )}
          </>
        )}
      </section>
    </>
  );
}

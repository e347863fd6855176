import { Download } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { CopyButton } from "../../components/text/copy-button.tsx";
import { ButtonScript } from "./button-script.tsx";

/** New recovery codes, shown this once. */
export const RecoveryCodes = ({ codes, next }: { codes: string[]; next: string }) => (
  <>
    <PageTitle title={t("common.recoveryCodes")} />
    <h1>{t("guest.recoveryCodes.storeYourRecoveryCodes")}</h1>
    <p className="lead mb-4">{t("guest.recoveryCodes.whatTheyAreFor")}</p>
    <ol
      id="recovery-codes"
      className="mb-4 grid list-decimal gap-1 pl-8 font-mono select-all"
      aria-label={t("common.recoveryCodes")}
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <div className="mb-4 flex flex-wrap gap-2">
      <CopyButton
        of="recovery-codes"
        label={t("guest.recoveryCodes.copyTheCodes")}
        copied={t("guest.recoveryCodes.theCodesWereCopied")}
      />
      {/* Made by the page itself, so that the codes are stored nowhere. */}
      <a
        className="btn btn-quiet"
        download="sealdesk-recovery-codes.txt"
        href={`data:text/plain,${encodeURIComponent(`${codes.join("\n")}\n`)}`}
      >
        <Download className="ico" />
        {t("guest.recoveryCodes.downloadTheCodes")}
      </a>
    </div>
    <ButtonScript />
    <Link className="btn btn-primary px-6" to={next}>
      {t("guest.recoveryCodes.iHaveStoredThem")}
    </Link>
  </>
);

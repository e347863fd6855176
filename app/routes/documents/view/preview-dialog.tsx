import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { CloseCross, CloseLink, Dialog, useDialog } from "../../../components/dialog/dialog.tsx";

type PreviewDialogProps = {
  number: number;
  count: number;
  /** Of the file that the page came in. */
  name: string;
  src: string;
};

/** A page in a legible size, with links to its neighbours. */
export default function PreviewDialog({ number, count, name, src }: PreviewDialogProps) {
  const { openTo, closeTo } = useDialog();
  return (
    <Dialog
      title={t("documents.previewDialog.pageNumberOfCount", { number, count })}
      lead={<p className="text-sm text-muted">{name}</p>}
      className="!max-w-3xl"
      closeTo={closeTo}
    >
      <CloseCross to={closeTo} />
      <img className="page-preview" src={src} alt={t("common.pageNumber", { number })} />
      <div className="modal-foot">
        <CloseLink to={closeTo}>{t("common.close")}</CloseLink>
        {number > 1 && (
          <Link className="btn btn-quiet" to={openTo("page", number - 1)} preventScrollReset replace>
            {t("documents.previewDialog.previousPage")}
          </Link>
        )}
        {number < count && (
          <Link className="btn btn-quiet" to={openTo("page", number + 1)} preventScrollReset replace>
            {t("documents.previewDialog.nextPage")}
          </Link>
        )}
      </div>
    </Dialog>
  );
}

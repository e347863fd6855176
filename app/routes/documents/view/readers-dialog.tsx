import { t } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { CloseCross, CloseLink, Dialog, useDialog } from "../../../components/dialog/dialog.tsx";
import { type Paged, Pagination } from "../../../components/list/pagination.tsx";

type Readers = Omit<Paged, "rows"> & { rows: { id: number; name: string; email: string; why: string }[] };

/** The users who can see a document, each with the permission that lets them. */
export default function ReadersDialog({ document, readers }: { document: Document; readers: Readers }) {
  const closeTo = withoutPage(useDialog().closeTo);
  return (
    <Dialog
      title={t("documents.readersDialog.whoCanSeeThis")}
      lead={
        <p className="text-sm text-muted">
          {t("documents.readersDialog.people", { name: document.name, count: readers.total })}
        </p>
      }
      className="!max-w-[36rem]"
      closeTo={closeTo}
    >
      <CloseCross to={closeTo} />
      <ul className="mt-4 border-y border-base-300">
        {readers.rows.map((reader) => (
          <li key={reader.id} className="reader-row">
            <p className="min-w-0">
              <b>{reader.name}</b>
              <small className="block text-muted [overflow-wrap:anywhere]">{reader.email}</small>
            </p>
            <p className="text-sm">{reader.why}</p>
          </li>
        ))}
      </ul>
      {readers.total > readers.sizes[0]! && <Pagination part={readers} />}
      <div className="modal-foot">
        <CloseLink to={closeTo}>{t("common.close")}</CloseLink>
      </div>
    </Dialog>
  );
}

/** Paging belongs to the dialog, not to the page below. */
function withoutPage(address: string) {
  const [path, search = ""] = address.split("?");
  const parameters = new URLSearchParams(search);
  parameters.delete("page");
  parameters.delete("per_page");
  const query = parameters.toString();
  return query ? `${path}?${query}` : path!;
}

import { t } from "#lib/messages/staff.ts";
import { Empty } from "../../../components/list/empty.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { omitRowsFromHydration } from "../../../first-paint/omit-rows.ts";
import { selectionOf } from "../../../server/lists/selection.ts";
import type { Route } from "./+types/archive";
import { DocumentTable } from "./document-table.tsx";
import { readDocuments } from "./read-documents.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { matching, ...documents } = await readDocuments(context, url, "archive");
  const selection = selectionOf(context, "archive", "docs", matching);
  return { ...documents, part: omitRowsFromHydration(request, documents.part), selection };
}

/** Archived documents, which can't be edited until they are restored. */
export default function DocumentsArchive({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.theArchive")} />
      <div className="page-head">
        <h1>{t("common.theArchive")}</h1>
      </div>
      <DocumentTable
        {...loaderData}
        caption={t("documents.archive.archivedDocuments")}
        exportAt="/documents/archive.csv"
        mayEdit={false}
        emptyState={<Empty message={t("documents.archive.isEmpty")} />}
      />
    </>
  );
}

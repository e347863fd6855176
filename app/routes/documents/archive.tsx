import { Empty } from "../../components/empty.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import type { Route } from "./+types/archive";
import { DocumentTable } from "./document-table.tsx";
import { readDocuments } from "./read-documents.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const documents = await readDocuments(context, url, "archive");
  return { ...documents, part: omitRowsFromHydration(request, documents.part) };
}

/** Archived documents, which can't be edited until they are restored. */
export default function DocumentsArchive({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title="Archive" />
      <div className="page-head">
        <h1>Archive</h1>
      </div>
      <DocumentTable
        {...loaderData}
        caption="Archived documents"
        exportAt="/documents/archive.csv"
        mayEdit={false}
        emptyState={<Empty message="The archive is empty. Documents that are archived move here from the list." />}
      />
    </>
  );
}

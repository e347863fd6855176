import { Empty } from "../../components/empty.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { once } from "../../server/first-paint/once.ts";
import type { Route } from "./+types/archive";
import { DocumentTable } from "./document-table.tsx";
import { readDocuments } from "./read-documents.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const documents = await readDocuments(context, url, "archived");
  return { ...documents, part: once(request, documents.part) };
}

/** Documents that were put away. They can't be edited until they are restored. */
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

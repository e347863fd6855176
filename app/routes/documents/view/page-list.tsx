import { Download } from "lucide-react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { PageFile } from "#provider/contract/document-files.ts";
import type { Document } from "#provider/contract/documents.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { NoteList } from "../../../components/text/notes.tsx";
import { type Page, PagePreview, pagesOf } from "./page-preview.tsx";

/** A document's pages in order, and the files that they came in, with their sizes. */
export function PageList({ document, sizes }: { document: Document; sizes: string[] }) {
  const { openTo } = useDialog();
  const pages = pagesOf(document.files.pages);
  const drawing = ({ file, inFile }: Page<PageFile>, size: "small" | "large") =>
    `/files/documents/${document.id}/pages/${file.n}/thumbnail?page=${inFile}&size=${size}`;
  return (
    <section className="panel mt-5" aria-labelledby="pages">
      <div className="panel-head">
        <h2 id="pages">{t("common.pageCount", { count: pages.length })}</h2>
      </div>
      <ol className="thumbs px-5 pb-5 max-md:px-4">
        {pages.map((page) => (
          <li className="thumb" key={page.number}>
            <p className="thumb-top">{t("common.pageNumber", { number: page.number })}</p>
            <Link className="thumb-page" to={openTo("page", page.number)} preventScrollReset>
              <img src={drawing(page, "small")} alt="" loading="lazy" decoding="async" />
              <span className="sr-only">
                {t("documents.pageList.previewPage", { number: page.number, name: page.file.name })}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <ul className="rule px-5 py-3 max-md:px-4 print:hidden">
        {document.files.pages.map((file, index) => (
          <li key={file.n} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="[overflow-wrap:anywhere]">{file.name}</span>
            <a className="row-act" href={`/files/documents/${document.id}/pages/${file.n}`} download>
              <Download className="ico" />
              <span>
                {tRich("documents.pageList.downloadFile", { name: file.name, size: sizes[index] ?? "", hidden })}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {document.notes.length > 0 && (
        <div className="px-5 pb-4 text-sm text-muted max-md:px-4">
          <NoteList notes={document.notes} />
        </div>
      )}
      <PagePreview pages={pages} drawing={drawing} />
    </section>
  );
}

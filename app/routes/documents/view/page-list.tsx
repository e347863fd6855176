import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { PageFile } from "#provider/contract/document-files.ts";
import type { Document } from "#provider/contract/documents.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { hidden } from "../../../components/text/message-elements.tsx";
import { NoteList } from "../../../components/text/notes.tsx";
import { type Page, PagePreview, pagesOf } from "./page-preview.tsx";

type PagesPanelProps = {
  files: PageFile[];
  /** The address below which each file has its own. */
  folder: string;
  /** What stands below the pages, such as the files. */
  children: ReactNode;
};

/** The pages of files in order, each of which opens large enough to be read. */
export function PagesPanel({ files, folder, children }: PagesPanelProps) {
  const { openTo } = useDialog();
  const pages = pagesOf(files);
  const drawing = ({ file, inFile }: Page<PageFile>, size: "small" | "large") =>
    `${folder}/${file.n}/thumbnail?page=${inFile}&size=${size}`;
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
      {children}
      <PagePreview pages={pages} drawing={drawing} />
    </section>
  );
}

/** A document's pages in order, and the files that they came in, with their sizes. */
export function PageList({ document, sizes }: { document: Document; sizes: string[] }) {
  const folder = `/files/documents/${document.id}/pages`;
  return (
    <PagesPanel files={document.files.pages} folder={folder}>
      <ul className="rule px-5 py-3 max-md:px-4 print:hidden">
        {document.files.pages.map((file, index) => (
          <li key={file.n} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="[overflow-wrap:anywhere]">{file.name}</span>
            <a className="row-act" href={`${folder}/${file.n}`} download>
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
    </PagesPanel>
  );
}

import { lazy } from "react";
import { useDialog } from "../../../components/dialog/dialog.tsx";

// Browsers fetch its code when a page is opened.
const PreviewDialog = lazy(() => import("./preview-dialog.tsx"));

/** A page of a document or a draft: its number in the whole, and its place in the file that it came in. */
export type Page<File> = { number: number; file: File; inFile: number };

/** Every page in order, those of a PDF one by one. */
export function pagesOf<File extends { pages: number }>(files: File[]): Page<File>[] {
  const pages = files.flatMap((file) =>
    Array.from({ length: file.pages }, (_, index) => ({ file, inFile: index + 1 })),
  );
  return pages.map((page, index) => ({ ...page, number: index + 1 }));
}

type PagePreviewProps<File> = {
  pages: Page<File>[];
  /** The address of a page's drawing. */
  drawing(page: Page<File>, size: "small" | "large"): string;
};

/** The page that the address has open, large enough to be read. */
export function PagePreview<File extends { name: string }>({ pages, drawing }: PagePreviewProps<File>) {
  const { open, at } = useDialog();
  const page = open === "page" ? pages[Number(at) - 1] : undefined;
  if (!page) return null;
  const { number, file } = page;
  return <PreviewDialog number={number} count={pages.length} name={file.name} src={drawing(page, "large")} />;
}

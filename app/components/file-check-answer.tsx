import { type FileCheck, fileCheckWords } from "./file-check-words.ts";

/** What changed in a file, and the changed pages of document and file side by side. */
export function FileCheckChanges({ check }: { check: FileCheck }) {
  const { changes } = fileCheckWords(check);
  const { pictures } = check;
  const isFirst = pictures.length < check.changes.filter(({ change }) => change === "changed").length;
  return (
    <>
      {changes.length > 0 && (
        <ul className="file-changes">
          {changes.map((line) => (
            <li key={line}>{line}.</li>
          ))}
        </ul>
      )}
      {isFirst && pictures.length > 0 && <p className="muted text-muted">The first {pictures.length} of them:</p>}
      {pictures.map(({ page, file_page, document, file }) => (
        <div className="file-pair" key={page}>
          <PagePicture title={`Page ${page} of the document`} content={document} />
          <PagePicture title={`Page ${file_page} of your file`} content={file} />
        </div>
      ))}
    </>
  );
}

const PagePicture = ({ title, content }: { title: string; content: string }) => (
  <figure>
    <figcaption>{title}</figcaption>
    <img src={`data:image/webp;base64,${content}`} alt={`${title}, with a frame around what differs`} />
  </figure>
);

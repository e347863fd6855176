import type { FileCheckWords } from "./file-check-words.ts";

/** What changed in a file, and the changed pages of document and file side by side. */
export const FileCheckChanges = ({ words: { changes, first, pictures } }: { words: FileCheckWords }) => (
  <>
    {changes.length > 0 && (
      <ul className="file-changes">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )}
    {first && <p className="muted text-muted">{first}</p>}
    {pictures.map(({ document, file }) => (
      <div className="file-pair" key={document.title}>
        <PagePicture {...document} />
        <PagePicture {...file} />
      </div>
    ))}
  </>
);

const PagePicture = ({ title, alt, content }: FileCheckWords["pictures"][number]["file"]) => (
  <figure>
    <figcaption>{title}</figcaption>
    <img src={`data:image/webp;base64,${content}`} alt={alt} />
  </figure>
);

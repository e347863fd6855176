import { ArrowDown, ArrowUp, Trash2, Upload } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { acceptedExtensions } from "#provider/contract/document-options.ts";
import { useDialog } from "../../../components/dialog.tsx";
import { FieldError } from "../../../components/field.tsx";
import { useHydrated } from "remix-utils/use-hydrated";

export type ThumbFile = { key: string; name: string; pages: number };

/** The real file input, stretched over a box so that files can be dropped on it. */
export function PageDrop({ errors, isSending }: { errors: string[] | undefined; isSending: boolean }) {
  const isHydrated = useHydrated();
  return (
    <div className={errors ? "field field-bad mb-5" : "field mb-5"}>
      {errors && (
        <div id="files-error">
          {errors.map((message) => (
            <FieldError key={message} message={message} />
          ))}
        </div>
      )}
      <div className="drop">
        <Upload className="ico !h-6 !w-6 text-primary" />
        <p className="text-sm">
          <label htmlFor="files" className="text-base font-semibold text-primary">
            {isSending ? "Adding …" : "Add page files"}
          </label>
          <br />
          <span className="text-muted">
            {isSending
              ? "You can add more as soon as these are here."
              : "JPG, PNG or PDF. Choose them or drop them here."}
          </span>
        </p>
        <input
          id="files"
          name="files"
          type="file"
          multiple
          accept={acceptedExtensions.join(",")}
          aria-describedby={errors && "files-error"}
          aria-disabled={isSending || undefined}
          onClick={(event) => isSending && event.preventDefault()}
          onDrop={(event) => isSending && event.preventDefault()}
          // With scripts, choosing is enough; what was sent is not to be sent again by the next button.
          onChange={({ currentTarget }) => {
            currentTarget.form!.requestSubmit();
            currentTarget.value = "";
          }}
        />
      </div>
      {!isHydrated && (
        <div>
          <button type="submit" className="btn btn-quiet" name="go" value="add">
            Add the chosen files
          </button>
        </div>
      )}
    </div>
  );
}

// Dragging is an extra: its code comes only where there is something to drag, and after the page.
const SortableThumbs = lazy(() => import("./sortable-thumbs.tsx"));

/** A draft's page files in their order. The buttons work everywhere; dragging, where scripts run. */
export function PageThumbs({ files }: { files: ThumbFile[] }) {
  const isHydrated = useHydrated();
  const plain = (
    <ol className="thumbs">
      {files.map((file, index) => (
        <li className="thumb" key={file.key}>
          <ThumbContent files={files} index={index} />
        </li>
      ))}
    </ol>
  );
  if (!isHydrated || files.length < 2) return plain;
  return (
    <Suspense fallback={plain}>
      <SortableThumbs files={files} />
    </Suspense>
  );
}

type ThumbContentProps = { files: ThumbFile[]; index: number; grip?: ReactNode };

/** One page file: which pages it is, a drawing of the first, and what can be done with it. */
export function ThumbContent({ files, index, grip }: ThumbContentProps) {
  const { openTo } = useDialog();
  const { key, name, pages } = files[index]!;
  const first = 1 + files.slice(0, index).reduce((sum, file) => sum + file.pages, 0);
  const title = pages > 1 ? `Pages ${first}–${first + pages - 1}` : `Page ${first}`;
  const inWords = title.toLowerCase();
  return (
    <>
      <div className="thumb-top">
        <span>{title}</span>
        {grip}
      </div>
      <Link className="thumb-page" to={openTo("page", first)} preventScrollReset>
        <img src={`/files/${key}?page=1&size=small`} alt="" decoding="async" draggable={false} />
        <span className="sr-only">
          Preview {inWords}, {name}
        </span>
      </Link>
      <div className="thumb-acts">
        <button
          type="submit"
          name="go"
          id={`up-${key}`}
          data-then={`down-${key}`}
          value={`up ${key}`}
          disabled={index === 0}
          title="Move up"
        >
          <ArrowUp className="ico" />
          <span className="sr-only">Move {inWords} up</span>
        </button>
        <button
          type="submit"
          name="go"
          id={`down-${key}`}
          data-then={`up-${key}`}
          value={`down ${key}`}
          disabled={index === files.length - 1}
          title="Move down"
        >
          <ArrowDown className="ico" />
          <span className="sr-only">Move {inWords} down</span>
        </button>
        <button type="submit" className="del" name="go" data-then="files" value={`remove ${key}`} title="Remove">
          <Trash2 className="ico" />
          <span className="sr-only">Remove {inWords}</span>
        </button>
      </div>
    </>
  );
}

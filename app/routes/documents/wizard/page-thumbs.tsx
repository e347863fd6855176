import { Upload } from "lucide-react";
import { lazy, Suspense, useRef } from "react";
import { t } from "#lib/messages/staff.ts";
import { acceptedExtensions } from "#provider/contract/document-options.ts";
import { FieldError } from "../../../components/form/field.tsx";
import { selectorsOf } from "../../../components/frame/focus-restore.ts";
import { useHydrated } from "remix-utils/use-hydrated";
import { ThumbContent, type ThumbFile } from "./thumb-content.tsx";

/** The real file input, stretched over a box so that files can be dropped on it. */
export function PageDrop({ errors }: { errors: string[] | undefined }) {
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
            {t("documents.wizard.pageThumbs.addPageFiles")}
          </label>
          <br />
          <span className="text-muted">{t("documents.wizard.pageThumbs.chooseOrDrop")}</span>
        </p>
        <input
          id="files"
          name="files"
          type="file"
          multiple
          accept={acceptedExtensions.join(",")}
          aria-describedby={errors && "files-error"}
          // Choosing submits at once.
          onChange={({ currentTarget }) => currentTarget.form!.requestSubmit()}
        />
      </div>
      {!isHydrated && (
        <div>
          <button type="submit" className="btn btn-quiet" name="intent" value="add">
            {t("documents.wizard.pageThumbs.addTheChosenFiles")}
          </button>
        </div>
      )}
    </div>
  );
}

// Loaded after the page, and only if there is something to drag.
const SortableThumbs = lazy(() => import("./sortable-thumbs.tsx"));

/** A draft's page files in order, moved by buttons and, with scripts, by dragging. */
export function PageThumbs({ files }: { files: ThumbFile[] }) {
  const isHydrated = useHydrated();
  const focused = useRef<string[]>([]);
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
    // There is no blur event if React removes what has the focus.
    <div onFocus={({ target }) => (focused.current = selectorsOf(target))} onBlur={() => (focused.current = [])}>
      <Suspense fallback={plain}>
        <SortableThumbs files={files} focused={focused} />
      </Suspense>
    </div>
  );
}

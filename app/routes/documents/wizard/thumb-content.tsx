import { ArrowLeft, ArrowRight, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";

export type ThumbFile = { key: string; name: string; pages: number };

type ThumbContentProps = { files: ThumbFile[]; index: number; grip?: ReactNode };

/** One page file: its page numbers, a thumbnail of the first, and its buttons. */
export function ThumbContent({ files, index, grip }: ThumbContentProps) {
  const { openTo } = useDialog();
  const { key, name, pages } = files[index]!;
  const first = 1 + files.slice(0, index).reduce((sum, file) => sum + file.pages, 0);
  const range = { pages, first, last: first + pages - 1 };
  return (
    <>
      <div className="thumb-top">
        <span>{t("documents.wizard.thumbContent.pages", range)}</span>
        {grip}
      </div>
      <Link className="thumb-page" to={openTo("page", first)} preventScrollReset>
        <img src={`/files/${key}?page=1&size=small`} alt="" decoding="async" draggable={false} />
        <span className="sr-only">{t("documents.wizard.thumbContent.preview", { ...range, name })}</span>
      </Link>
      <div className="thumb-acts">
        <button
          type="submit"
          name="intent"
          id={`earlier-${key}`}
          data-focus-next={`later-${key}`}
          value={`earlier ${key}`}
          data-done={t("components.sortable.wasPutInPlace", { n: index })}
          disabled={index === 0}
          title={t("documents.wizard.thumbContent.moveEarlier")}
        >
          <ArrowLeft className="ico" />
          <span className="sr-only">{t("documents.wizard.thumbContent.movePagesEarlier", range)}</span>
        </button>
        <button
          type="submit"
          name="intent"
          id={`later-${key}`}
          data-focus-next={`earlier-${key}`}
          value={`later ${key}`}
          data-done={t("components.sortable.wasPutInPlace", { n: index + 2 })}
          disabled={index === files.length - 1}
          title={t("documents.wizard.thumbContent.moveLater")}
        >
          <ArrowRight className="ico" />
          <span className="sr-only">{t("documents.wizard.thumbContent.movePagesLater", range)}</span>
        </button>
        <button
          type="submit"
          className="del"
          name="intent"
          data-focus-next="files"
          value={`remove ${key}`}
          title={t("common.remove")}
        >
          <Trash2 className="ico" />
          <span className="sr-only">{t("documents.wizard.thumbContent.removePages", range)}</span>
        </button>
      </div>
    </>
  );
}

import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";
import { FieldError } from "./field.tsx";
import type { useUploads } from "./uploads.ts";

type UploadListProps = ReturnType<typeof useUploads>["list"];

/** Files on their way, with what can be done about each. */
export function UploadList({ uploads, onRetry, onCancel }: UploadListProps) {
  const sending = uploads.find(({ state }) => state === "sending");
  return (
    <>
      <p className="sr-only" role="status">
        {sending && <span key={sending.id}>{t("components.uploads.sending", { name: sending.name })}</span>}
      </p>
      {uploads.length > 0 && (
        <ul className="uploads" data-unsaved="">
          {uploads.map((upload) => {
            const { id, name, state, share } = upload;
            return (
              <li key={id}>
                <span className="[overflow-wrap:anywhere]" translate="no">
                  {name}
                </span>
                {state === "broken" ? (
                  <FieldError message={t("components.uploads.broken")} />
                ) : (
                  <progress className="meter" aria-label={name} value={share} />
                )}
                <span key={`${state} ${share}`} className="text-sm text-muted">
                  {state === "sending" &&
                    (share < 1
                      ? t("components.uploads.percent", { percent: Math.floor(share * 100) })
                      : t("components.uploads.beingChecked"))}
                  {state === "waiting" && t("components.uploads.waiting")}
                </span>
                <span>
                  {state === "broken" && (
                    <button type="button" className="row-act" onClick={() => onRetry(upload)}>
                      {tRich("components.uploads.tryAgain", { name, hidden })}
                    </button>
                  )}
                  <button type="button" className="row-act" onClick={() => onCancel(upload)}>
                    {tRich("components.uploads.cancel", { name, hidden })}
                  </button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

import { KeyRound } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

/** The secret of new keys, shown once. */
export const Secret = ({ secret }: { secret: string }) => (
  <section className="notice is-warn mb-4" aria-label={t("webhooks.secret.newKeys")}>
    <KeyRound className="ico" />
    <div className="min-w-0 flex-1">
      <p>{t("webhooks.secret.copyItNow")}</p>
      <p className="font-normal">{t("webhooks.secret.whatItIsFor")}</p>
      <div className="field mt-3">
        <label htmlFor="webhook-secret">{t("webhooks.secret.secret")}</label>
        <input
          className="input font-mono"
          type="text"
          id="webhook-secret"
          readOnly
          autoComplete="off"
          value={secret}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
    </div>
  </section>
);

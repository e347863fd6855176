import { CalendarSync } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { ConfirmDialog } from "../../../components/dialog/confirm-dialog.tsx";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { Form } from "../../../components/form/form.tsx";

type FeedProps = {
  /** When its address was made, in words; empty without one. */
  made: string;
  /** The secret address, on the page that answers its making alone. */
  address: string | undefined;
};

/** The user's iCalendar feed: its address is shown once, and can be ended. */
export function CalendarFeed({ made, address }: FeedProps) {
  const { open, openTo, closeTo } = useDialog();
  return (
    <section className="panel mt-4 print-hidden" aria-labelledby="feed">
      <div className="panel-head">
        <h2 id="feed">{t("documents.calendarFeed.inYourOwnCalendar")}</h2>
      </div>
      <div className="px-5 pb-5 max-md:px-4">
        <p className="max-w-[44rem]">{t("documents.calendarFeed.howToSubscribe")}</p>
        {address ? (
          <div className="mt-3" role="status">
            <p className="font-semibold">{t("documents.calendarFeed.copyItNow")}</p>
            <p>
              <a className="code break-all" translate="no" href={address} rel="noreferrer">
                {address}
              </a>
            </p>
          </div>
        ) : (
          <p className="mt-3 text-muted">
            {made ? t("documents.calendarFeed.addressMadeOn", { made }) : t("documents.calendarFeed.noneYet")}
          </p>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          {made ? (
            <>
              <Link className="btn btn-quiet" to={openTo("new-address")} preventScrollReset>
                {t("documents.calendarFeed.makeANewAddress")}
              </Link>
              <Link className="btn btn-quiet" to={openTo("end-address")} preventScrollReset>
                {t("documents.calendarFeed.endTheAddress")}
              </Link>
            </>
          ) : (
            <Form method="post">
              <button type="submit" className="btn btn-quiet" name="intent" value="new-address">
                <CalendarSync className="ico" />
                {t("documents.calendarFeed.makeASecretAddress")}
              </button>
            </Form>
          )}
        </div>
      </div>
      {made && open === "new-address" && (
        <ConfirmDialog
          title={t("documents.calendarFeed.makeANewAddressQuestion")}
          confirm={t("documents.calendarFeed.makeANewAddress")}
          intent="new-address"
          closeTo={closeTo}
        >
          <p>{t("documents.calendarFeed.effectOfNewAddress")}</p>
        </ConfirmDialog>
      )}
      {made && open === "end-address" && (
        <ConfirmDialog
          title={t("documents.calendarFeed.endTheAddressQuestion")}
          confirm={t("documents.calendarFeed.endTheAddress")}
          intent="end-address"
          isDanger
          closeTo={closeTo}
        >
          <p>{t("documents.calendarFeed.effectOfEnding")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

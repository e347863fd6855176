import { CalendarSync } from "lucide-react";
import { Form, Link } from "react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";

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
        <h2 id="feed">In your own calendar</h2>
      </div>
      <div className="px-5 pb-5 max-md:px-4">
        <p className="max-w-[44rem]">
          Subscribe to a secret address, and what expires in the next 12 months is in your calendar program. Whoever has
          the address can read what you may see, so keep it to yourself. It reminds you of each document at 9:00 a week
          before, if your calendar program takes reminders from subscriptions.
        </p>
        {address ? (
          <div className="mt-3" role="status">
            <p className="font-semibold">Copy this address now: it is not shown again.</p>
            <p>
              <a className="code break-all" href={address} rel="noreferrer">
                {address}
              </a>
            </p>
          </div>
        ) : (
          <p className="mt-3 text-muted">{made ? `Your address was made on ${made}.` : "You have no address yet."}</p>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          {made ? (
            <>
              <Link className="btn btn-quiet" to={openTo("new-address")} preventScrollReset>
                Make a new address
              </Link>
              <Link className="btn btn-quiet" to={openTo("end-address")} preventScrollReset>
                End the address
              </Link>
            </>
          ) : (
            <Form method="post">
              <button type="submit" className="btn btn-quiet" name="intent" value="new-address">
                <CalendarSync className="ico" />
                Make a secret address
              </button>
            </Form>
          )}
        </div>
      </div>
      {made && open === "new-address" && (
        <ConfirmDialog title="Make a new address?" confirm="Make a new address" intent="new-address" closeTo={closeTo}>
          <p>The address that you have ends: calendars that use it show nothing new until you enter the new one.</p>
        </ConfirmDialog>
      )}
      {made && open === "end-address" && (
        <ConfirmDialog
          title="End the address?"
          confirm="End the address"
          intent="end-address"
          isDanger
          closeTo={closeTo}
        >
          <p>Calendars that use it can no longer read what expires. You can make another one at any time.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

import { MonitorSmartphone } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Form, PageUserInput } from "../form/form.tsx";
import { showInstant } from "../text/format.ts";
import { type Column, Table } from "../list/table.tsx";

type Session = { id: number; browser: string; signed_in_at: string; last_used_at: string; current: boolean };

type SessionTableProps = {
  sessions: Session[];
  timeZone: string;
  /** On the button that ends all sessions but this one. */
  endAll: string;
};

/** Open sessions, each with a button that ends it, except the current one. */
export function SessionTable({ sessions, timeZone, endAll }: SessionTableProps) {
  return (
    <>
      <Table
        caption={t("components.sessionTable.sessions")}
        rows={sessions}
        columns={columnsIn(timeZone)}
        keyOf={({ id }) => id}
      />
      {sessions.some(({ current }) => !current) && (
        <Form method="post" className="rule px-5 py-3 max-md:px-4" preventScrollReset>
          <button type="submit" className="btn btn-quiet" name="intent" value="end-sessions">
            <MonitorSmartphone className="ico" />
            {endAll}
          </button>
        </Form>
      )}
    </>
  );
}

const nameOf = ({ browser }: Session) => browser || t("components.sessionTable.noBrowser");

const columnsIn = (timeZone: string): Column<Session>[] => [
  { label: t("components.sessionTable.browser"), cell: nameOf },
  {
    label: t("components.sessionTable.signedIn"),
    className: "whitespace-nowrap",
    cell: ({ signed_in_at }) => showInstant(signed_in_at, timeZone),
  },
  {
    label: t("common.lastUsed"),
    className: "whitespace-nowrap",
    cell: ({ last_used_at }) => showInstant(last_used_at, timeZone),
  },
  {
    label: t("common.actions"),
    className: "act",
    cell: (session) =>
      session.current ? (
        t("components.sessionTable.thisSession")
      ) : (
        // Rows are not hydrated (`app/first-paint`), so the browser itself submits this form.
        <form method="post">
          <PageUserInput />
          <input type="hidden" name="session" value={session.id} />
          <button
            type="submit"
            className="row-act"
            name="intent"
            value="end-session"
            aria-label={t("components.sessionTable.endThisOne", {
              browser: nameOf(session),
              at: showInstant(session.signed_in_at, timeZone),
            })}
          >
            {t("components.sessionTable.endSession")}
          </button>
        </form>
      ),
  },
];

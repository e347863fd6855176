import { MonitorSmartphone } from "lucide-react";
import { Form } from "react-router";
import { showInstant } from "./format.ts";
import { type Column, Table } from "./table.tsx";

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
      <Table caption="Sessions" rows={sessions} columns={columnsIn(timeZone)} keyOf={({ id }) => id} />
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

const nameOf = ({ browser }: Session) => browser || "A program";

const columnsIn = (timeZone: string): Column<Session>[] => [
  { label: "Browser", cell: nameOf },
  {
    label: "Signed in",
    className: "whitespace-nowrap",
    cell: ({ signed_in_at }) => showInstant(signed_in_at, timeZone),
  },
  {
    label: "Last used",
    className: "whitespace-nowrap",
    cell: ({ last_used_at }) => showInstant(last_used_at, timeZone),
  },
  {
    label: "Actions",
    className: "act",
    cell: (session) =>
      session.current ? (
        "This session"
      ) : (
        // Rows are not hydrated (`app/first-paint`), so the browser itself submits this form.
        <form method="post">
          <input type="hidden" name="session" value={session.id} />
          <button
            type="submit"
            className="row-act"
            name="intent"
            value="end-session"
            aria-label={`End session: ${nameOf(session)}, signed in ${showInstant(session.signed_in_at, timeZone)}`}
          >
            End session
          </button>
        </form>
      ),
  },
];

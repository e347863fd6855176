import type { OpenSession } from "#provider/contract/open-sessions.ts";
import type { ViewedUser } from "#provider/contract/users.ts";
import { Empty } from "../../components/empty.tsx";
import { Facts, mailFact } from "../../components/facts.tsx";
import { SessionTable } from "../../components/session-table.tsx";

/** What the tabs of a user's page show. */

export function Sessions({ sessions, timeZone }: { sessions: OpenSession[]; timeZone: string }) {
  if (sessions.length === 0) return <Empty message="This user is not signed in anywhere." />;
  return (
    <SessionTable
      sessions={sessions}
      timeZone={timeZone}
      endAll={sessions.some(({ current }) => current) ? "Sign out everywhere else" : "End all sessions"}
    />
  );
}

export function Properties({ user }: { user: ViewedUser }) {
  const pending = user.pending_email && `${user.pending_email} waits to be confirmed`;
  const newEmail: [string, string][] = pending ? [["New email", pending]] : [];
  return (
    <div className="px-5 py-2 max-md:px-4">
      <Facts
        facts={[
          ["Name", user.name],
          ["Email", mailFact(user.email)],
          ...newEmail,
          ["Phone", user.phone],
          ["Role", user.role],
          ["Access group", user.staff],
          ["Branch", user.branch],
          ["Country", user.country],
          ["City", user.city],
          ["Index", user.index],
          ["Active", user.active ? "Yes" : "No"],
          ["Additional information", user.info],
        ]}
      />
    </div>
  );
}

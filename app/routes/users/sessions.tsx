import { t } from "#lib/messages/staff.ts";
import type { OpenSession } from "#provider/contract/open-sessions.ts";
import { Empty } from "../../components/list/empty.tsx";
import { SessionTable } from "../../components/user/session-table.tsx";

export function Sessions({ sessions, timeZone }: { sessions: OpenSession[]; timeZone: string }) {
  if (sessions.length === 0) return <Empty message={t("users.sessions.none")} />;
  return (
    <SessionTable
      sessions={sessions}
      timeZone={timeZone}
      endAll={
        sessions.some(({ current }) => current) ? t("common.signOutEverywhereElse") : t("users.sessions.endAllSessions")
      }
    />
  );
}

import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../../../components/text/message-elements.tsx";
import type { DraftRow } from "./draft-rows.server.ts";

/** How many drafts are offered; the list of documents has all. */
const maxListed = 5;

/** The user's newest drafts, to go on with in place of a new one. */
export const ContinueDraft = ({ drafts }: { drafts: DraftRow[] }) =>
  drafts.length > 0 && (
    <section className="panel mb-5" aria-labelledby="drafts">
      <div className="panel-head">
        <h2 id="drafts">{t("documents.wizard.continueDraft.continueADraft")}</h2>
        {drafts.length > maxListed && (
          <Link to="/documents/list">{t("documents.wizard.continueDraft.allDrafts", { count: drafts.length })}</Link>
        )}
      </div>
      <ul className="rule">
        {drafts.slice(0, maxListed).map(({ id, name, saved }) => (
          <li key={id} className="draft-row">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <b>{name}</b>{" "}
              <small className="text-muted">{t("documents.wizard.continueDraft.savedAt", { saved })}</small>
            </span>
            <Link className="row-act" to={`/documents/new/${id}?continue`}>
              {tRich("documents.wizard.continueDraft.continueDraft", { name, hidden })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );

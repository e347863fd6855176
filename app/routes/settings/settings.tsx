import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import type { Route } from "./+types/settings";
import { settingsOf } from "../../server/sessions/settings.ts";

export const loader = ({ context }: Route.LoaderArgs) => ({ groups: settingsOf(context) });

/** The way to all that is set once and seldom opened. */
export default function Settings({ loaderData: { groups } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.settings")} />
      <div className="page-head">
        <h1>{t("common.settings")}</h1>
      </div>
      <div className="grid gap-5 lg:grid-cols-2">
        {groups.map(({ title, pages }) => (
          <section key={title} className="panel" aria-label={title}>
            <div className="panel-head">
              <h2>{title}</h2>
            </div>
            <ul className="found">
              {pages.map(({ to, label, hint }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                  <p>{hint}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

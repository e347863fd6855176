import { Building, Menu, Search, Settings } from "lucide-react";
import { Link, useLocation } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { Form } from "../form/form.tsx";
import { hidden } from "../text/message-elements.tsx";
import { Avatar } from "../user/avatar.tsx";
import { Mark } from "./brand.tsx";
import "./search-keys.ts";
import { settingsPaths } from "./settings-paths.ts";

export type TopbarProps = {
  name: string;
  image: string | undefined;
  /** The user's own page. */
  self: string;
  company: string;
  plan: string;
  /** Whether the plan links to the tariffs. */
  hasTariffs: boolean;
  hasSettings: boolean;
  /** How many the user may read; null if unknown. */
  documents: number | null;
  hasMore: boolean;
  maxPages: number;
  /** The keys that lead to the search; undefined if the provider has none. */
  searchKeys: string | undefined;
};

/** Company, plan, number of documents, and the signed-in user. */
export function Topbar(props: TopbarProps) {
  const { name, image, self, company, plan, hasTariffs, hasSettings, documents, hasMore, maxPages, searchKeys } = props;
  const isInSettings = settingsPaths.test(useLocation().pathname);
  return (
    <header className="topbar">
      <button type="button" className="btn btn-plain !px-2 !text-base-content lg:hidden" popoverTarget="menu">
        <Menu className="ico" />
        {t("components.topbar.menu")}
      </button>
      <Link className="brand !h-auto !px-0 lg:hidden" to="/dashboard">
        <Mark />
        <span className="max-sm:sr-only">{t("common.sealdesk")}</span>
      </Link>
      {company && (
        <p className="hidden items-center gap-2 text-sm font-semibold xl:flex">
          <Building className="ico text-muted" />
          {company}
        </p>
      )}
      {searchKeys && (
        <Form action="/search" role="search" aria-label={t("components.topbar.header")} className="find">
          <button type="submit" aria-label={t("common.find")}>
            <Search className="ico" />
          </button>
          <input
            name="q"
            type="search"
            aria-label={t("common.find")}
            placeholder={t("common.find")}
            maxLength={200}
            aria-keyshortcuts={searchKeys}
          />
        </Form>
      )}
      <div className="plan">
        {hasTariffs ? (
          <Link to="/tariffs">{tRich("components.topbar.yourPlan", { plan, hidden })}</Link>
        ) : (
          <b>{plan}</b>
        )}
        <p className="usage">
          <span className="max-xl:hidden">{t("common.documents")}</span>
          <progress
            className="meter max-sm:hidden"
            value={documents ?? 0}
            max={maxPages}
            aria-label={t("common.documents")}
          />
          <b>
            {`${documents ?? "–"}${hasMore ? "+" : ""} / ${maxPages}`}
            <span className="hidden font-normal min-[24rem]:max-sm:inline"> {t("components.topbar.docs")}</span>
          </b>
        </p>
      </div>
      <Link className="me" to={self}>
        <Avatar name={name} src={image} />
        <span className="max-sm:sr-only" translate="no">
          {name}
        </span>
      </Link>
      {/* Telephones have it on the user's own page. */}
      {hasSettings && (
        <Link className="me max-sm:hidden" to="/settings" aria-current={isInSettings ? "page" : undefined}>
          <Settings className="ico" />
          {t("common.settings")}
        </Link>
      )}
    </header>
  );
}

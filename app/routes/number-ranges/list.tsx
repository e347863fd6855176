import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { NumberRange } from "#provider/contract/number-ranges.ts";
import { Empty } from "../../components/list/empty.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/list";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { requireRanges } from "./require-ranges.server.ts";
import { documentsOf } from "./range-words.ts";

export async function loader({ context }: Route.LoaderArgs) {
  requireRanges(context, "read");
  const ranges = await getProvider(context).listNumberRanges();
  return { ranges, mayEdit: may(getUser(context), "co_profile", "write") };
}

/** How the company counts its documents. */
export default function NumberRanges({ loaderData: { ranges, mayEdit } }: Route.ComponentProps) {
  const add = mayEdit && (
    <Link className="btn btn-primary" to="/settings/number-ranges/new">
      <Plus className="ico" />
      {t("number-ranges.form.add")}
    </Link>
  );
  return (
    <SettingPage
      title={t("common.numberRanges")}
      lead={t("number-ranges.list.lead")}
      hasErrors={false}
      act={ranges.length > 0 && add}
    >
      {ranges.length > 0 ? (
        <Table caption={t("common.numberRanges")} rows={ranges} columns={columns(mayEdit)} keyOf={({ id }) => id} />
      ) : (
        <Empty title={t("number-ranges.list.none")} message={t("number-ranges.list.withoutRanges")}>
          {add}
        </Empty>
      )}
    </SettingPage>
  );
}

const columns = (mayEdit: boolean): Column<NumberRange>[] => [
  { label: t("common.documents"), cell: documentsOf },
  { label: t("number-ranges.form.nextNumber"), cell: ({ next_number }) => <bdi>{next_number}</bdi> },
  { label: t("number-ranges.form.restarts"), cell: ({ restarts }) => (restarts ? t("common.yes") : t("common.no")) },
  {
    label: t("common.actions"),
    className: "act",
    cell: (range) =>
      mayEdit && (
        <RowAction to={`/settings/number-ranges/${range.id}`} verb={t("common.edit")} name={documentsOf(range)} />
      ),
  },
];

import { data } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { createView, type SavedView, updateView, type ViewedList, viewedLists } from "#provider/contract/views.ts";
import { flag, longText } from "#provider/contract/fields.ts";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { customPrefix, viewColumns } from "../../components/list/view-columns.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { savedViews, viewAddress, viewedAddresses } from "../../server/lists/views.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { getUser, may, requireOffer } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { inPlaces, placeFields } from "./column-places.ts";
import { columnRows, placesOf } from "./column-rows.ts";
import { customNamesIn } from "./custom-names.server.ts";
import { filtersInWords, listNames } from "./view-words.ts";
import { ViewForm } from "./view-form.tsx";

/** Saves what a list shows as a view, or changes the view in the address. Colleagues' views can only be opened with. */

async function findView(context: Context, id: string | undefined): Promise<SavedView | undefined> {
  requireOffer(context, "views");
  if (id === undefined) return undefined;
  const view = (await savedViews(context)).find((view) => String(view.id) === id);
  if (!view) throw data(null, { status: 404 });
  return view;
}

const listIn = ({ searchParams }: URL): ViewedList =>
  viewedLists.find((list) => list === searchParams.get("list")) ?? "documents";

export async function loader({ context, url, params: { id } }: Route.LoaderArgs) {
  const view = await findView(context, id);
  const list = view?.list ?? listIn(url);
  const query = url.searchParams.get("query") ?? view?.query ?? "";
  const user = getUser(context);
  const isOwn = view?.is_own ?? true;
  const offered = isOwn ? await customNamesIn(context, list) : [];
  const columns = view?.columns ?? [];
  return {
    offered,
    view,
    list,
    address: viewedAddresses[list],
    group: user.staff,
    columns,
    mayRemove: view !== undefined && (view.is_own || may(user, "roles", "write")),
    values: {
      name: view?.name ?? "",
      query,
      custom: "",
      shared: view?.shared_with ? "1" : "",
      is_default: view?.is_default ? "1" : "",
      version: String(view?.version ?? ""),
    },
  };
}

const ownFields = { custom: longText("custom fields", 1000), is_default: flag, ...placeFields };
const newView = createView.body.extend(ownFields);
const changedView = updateView.body.extend(ownFields);
const chosenDefault = z.object({ is_default: flag });

const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
type Chosen = { columns: string[]; custom: string; places: Parameters<typeof inPlaces>[1] };
const columnsOf = ({ columns, custom, places }: Chosen) => [
  ...inPlaces(columns, places),
  ...linesOf(custom).flatMap((name) => (name ? [customPrefix + name] : [])),
];

export async function action({ request, context, url, params: { id } }: Route.ActionArgs) {
  const form = await readForm(request, newView, changedView);
  const view = await findView(context, id);
  const provider = getProvider(context);
  const list = view?.list ?? listIn(url);
  const choose = (view_id: number | "") => provider.chooseDefaultView({ body: { list, view_id } });
  const leave = (to: string, notice: string) => redirectWithNotice(context, to, notice);
  if (!view) {
    return handleForm(form, {
      schema: newView,
      async save({ is_default, custom, places, ...body }) {
        const columns = columnsOf({ ...body, custom, places });
        const saved = await provider.createView({ body: { ...body, columns } });
        if (is_default) await choose(saved.id);
        return leave(viewAddress(saved), t("views.form.wasSaved", { name: saved.name }));
      },
    });
  }
  const params = { id: String(view.id) };
  if (form.get("intent") === "remove") {
    return handleForm(form, {
      schema: z.object({}),
      async save() {
        await provider.removeView({ params });
        return leave(`${viewedAddresses[list]}?view=all`, t("views.form.wasRemoved", { name: view.name }));
      },
    });
  }
  const chooseIfChanged = async (isDefault: boolean) => {
    if (isDefault !== view.is_default) await choose(isDefault ? view.id : "");
  };
  if (!view.is_own) {
    return handleForm(form, {
      schema: chosenDefault,
      async save({ is_default }) {
        await chooseIfChanged(is_default);
        return leave(viewAddress(view), t("views.form.changesSaved", { name: view.name }));
      },
    });
  }
  return handleForm(form, {
    schema: changedView,
    async save({ is_default, custom, places, ...body }) {
      const columns = columnsOf({ ...body, custom, places });
      const saved = await provider.updateView({ params, body: { ...body, columns } });
      await chooseIfChanged(is_default);
      return leave(viewAddress(saved), t("views.form.changesSaved", { name: saved.name }));
    },
  });
}

/** What was sent, as texts. */
type Typed = { columns?: string | string[]; places?: { column?: string; place?: string }[] };

export default function ViewPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, list, address, values, columns, offered, ...rest } = loaderData;
  const usual = viewColumns[list].flatMap((column) => ("isUsual" in column ? [column.name] : []));
  const saved = columns.length > 0 ? columns : usual;
  const { columns: ticked = [], places } = (actionData?.initialValue ?? {}) as Typed;
  const columnsTicked = actionData ? [ticked].flat() : saved;
  // A refused form has its rows as they were sent.
  const rows = columnRows(list, offered, places?.map(({ column = "" }) => column) ?? saved);
  const form = formState({ ...values, ...placesOf(rows, saved) }, actionData, ["shared", "is_default"]);
  return (
    <FormPage
      title={view ? t("views.form.changeView") : t("views.form.saveAsAView")}
      lead={<p className="lead">{listNames[list]}</p>}
      errors={form.summary}
      back={{ to: address, label: t("views.form.backToTheList") }}
    >
      <ViewForm
        {...rest}
        key={view?.id}
        form={form}
        saved={values}
        view={view}
        list={list}
        address={address}
        filters={filtersInWords(list, values.query)}
        chosen={columnsTicked}
        rows={rows}
      />
    </FormPage>
  );
}

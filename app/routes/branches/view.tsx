import { Pencil, UserPlus } from "lucide-react";
import { lazy } from "react";
import { data, Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { addUserToBranch } from "#provider/contract/branches.ts";
import { historyInWords } from "../../components/record/audit-words.server.ts";
import { Avatar, imageSrc } from "../../components/user/avatar.tsx";
import { BackLink } from "../../components/frame/back-link.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { formState } from "../../components/form/form-state.ts";
import { History, withHistory } from "../../components/record/history.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RecordFacts } from "../../components/record/record-facts.tsx";
import { without } from "../../components/record/record-fields.ts";
import { branchSections } from "../../components/record/record-tables.ts";
import { openTab, Tabs, useTab } from "../../components/frame/tabs.tsx";
import { getUser, may, mayInCompany } from "../../server/sessions/current-user.ts";
import { fieldsFrom, handleForm, readForm } from "../../server/forms/forms.ts";
import { readHistory } from "../../server/history.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure, failure } from "../../server/provider/failure.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { BranchUsers } from "./branch-users.tsx";
import { findUsers, findUsersAgain } from "./find-users.server.ts";
import { readBranch } from "./read-branch.server.ts";

const properties = { id: "properties", label: t("common.properties") };
const users = { id: "users", label: t("common.users") };

/** A branch's users are in pages of four (`docs/specification.md` section 9). */
const pageSizes = [4, 10, 25, 50];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const [branch, history] = await Promise.all([
    readBranch(context, params.id),
    readHistory(context, "branchHistory", { params, url }).then(historyInWords),
  ]);
  const tabs = withHistory(may(user, "users", "read") ? [properties, users] : [properties], history);
  const query = parseListQuery(url, "listBranchUsers", [], pageSizes);
  const isOpen = openTab(tabs, url.searchParams) === users.id;
  const mayAddUsers = mayInCompany(user, "users", "write");
  const isAdding = mayAddUsers && url.searchParams.get("dialog") === "add-user";
  return {
    branch,
    history,
    tabs,
    part: isOpen ? await readList(getProvider(context), "listBranchUsers", query, { params }) : undefined,
    found: await findUsers(context, isAdding ? (url.searchParams.get("search") ?? "") : ""),
    mayAddUsers,
    mayEdit: may(user, "branches", "write"),
    mayEditUsers: may(user, "users", "write"),
  };
}

const text = z.string().default("");
const addUserForm = addUserToBranch.body.extend({ search: text, found: text });

/** Adds the user who was chosen among those found or, with none chosen, the one whose name or email was typed. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await readForm(request, addUserForm);
  const search = form.get("search") ?? "";
  // A user of an earlier search is not the one whose name was typed since.
  const chosen = form.get("found") === search.trim() ? form.get("user") : null;
  const user = search.trim() && (chosen ?? search);
  const reply = await handleForm(fieldsFrom(Object.entries({ user, search }), addUserForm), {
    schema: addUserForm,
    async save({ user }) {
      const added = await getProvider(context)
        .addUserToBranch({ params, body: { user } })
        .catch(async (thrown: unknown) => {
          const mayChoose = asFailure(thrown, 422) && chosen === null;
          const count = (mayChoose && (await findUsersAgain(context, search)).users?.length) || 0;
          throw count > 0
            ? failure(422, { kind: "refused", message: t("branches.view.chooseAFoundUser", { count }) })
            : thrown;
        });
      const back = new URLSearchParams({ tab: "users" });
      const from = url.searchParams.get("from");
      if (from) back.set("from", from);
      return redirectWithNotice(
        context,
        `${url.pathname}?${back}`,
        added
          ? t("branches.view.wasMoved", { name: added.name, branch: added.branch })
          : t("branches.view.theUserWasAdded"),
      );
    },
  });
  return reply instanceof Response
    ? reply
    : data({ ...reply.data, found: await findUsersAgain(context, search) }, reply.init!);
}

/** Loaded when it is opened. */
const AddUserDialog = lazy(() => import("./add-user-dialog.tsx"));

export default function BranchView({ loaderData, actionData }: Route.ComponentProps) {
  const { branch, history, tabs, part, mayAddUsers, mayEdit, mayEditUsers } = loaderData;
  const isHistory = useTab(tabs) === "history" && history !== undefined;
  const { open, openTo } = useDialog();
  const { summary, values } = formState({ user: "" }, actionData);
  return (
    <>
      <PageTitle title={branch.name} hasErrors={summary.length > 0} />
      <BackLink to="/branches/list">{t("branches.form.backToListOfBranches")}</BackLink>
      <div className="page-head mt-2">
        <div className="flex items-center gap-5">
          <Avatar name={branch.name} src={imageSrc(`branches/${branch.id}`, branch.imageUrl)} isLarge />
          <div>
            <h1 translate="no">{branch.name}</h1>
            <p className="lead [overflow-wrap:anywhere]">{[branch.city, branch.country].filter(Boolean).join(", ")}</p>
          </div>
        </div>
        <div className="page-acts">
          {mayAddUsers && (
            <Link className="btn btn-primary" to={openTo("add-user")} preventScrollReset>
              <UserPlus className="ico" />
              {t("branches.addUserDialog.addUserToBranch")}
            </Link>
          )}
          {mayEdit && (
            <Link className="btn btn-quiet" to={`/branches/edit/${branch.id}`}>
              <Pencil className="ico" />
              {t("common.edit")}
            </Link>
          )}
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label={t("common.branch")}>
        <Tabs label={t("common.branch")} tabs={tabs} />
        {part && <BranchUsers part={part} mayEdit={mayEditUsers} />}
        {isHistory && <History history={history} />}
        {!part && !isHistory && (
          <div className="px-5 py-2 max-md:px-4 print:px-0">
            <h2 className="sr-only">{t("common.properties")}</h2>
            <RecordFacts
              sections={without(branchSections, ["manager_id"])}
              record={branch}
              picture={{ name: branch.name, src: imageSrc(`branches/${branch.id}`, branch.imageUrl) }}
            />
          </div>
        )}
      </section>
      {mayAddUsers && open === "add-user" && (
        <AddUserDialog
          branch={branch}
          found={(actionData ?? loaderData).found}
          chosen={values.user!}
          errors={summary}
        />
      )}
    </>
  );
}

import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import { z } from "zod";
import { createAccessGroup, updateAccessGroup } from "#provider/contract/access-groups.ts";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { formState } from "../../components/form-state.ts";
import { History, withHistory } from "../../components/history.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { formValues } from "../../components/record-fields.ts";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { requireRight } from "../../server/sessions/current-user.ts";
import { readHistory } from "../../server/history.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUnsupported } from "../../server/provider/failure.ts";
import { type Fields, fieldsFrom, replyUnchecked, handleForm, readForm } from "../../server/forms/forms.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/group";
import { GroupForm } from "./group-form.tsx";
import { permissionsIn, rightsFields } from "./rights-fields.tsx";

/** One form to add an access group and, with `?id=`, to change one. */

export async function loader({ context, url }: Route.LoaderArgs) {
  const id = url.searchParams.get("id");
  requireRight(context, "roles", id ? "write" : "create", id ? "change access groups" : "add access groups");
  const provider = getProvider(context);
  const request = () => provider.firstPage("listAccessGroups", { per_page: "1" });
  // A provider that has no groups says so before one is filled in for nothing.
  if (!id) await request();
  const group = id ? await orUnsupported(provider.getAccessGroup({ params: { id } }), request) : undefined;
  const history = id ? await readHistory(context, "accessGroupHistory", { params: { id }, url }) : undefined;
  return { group, history, values: group ? formValues(group) : {} };
}

/** The form's own fields, of which `asRecord` makes the contract's. */
const groupForm = z.object({
  name: z.string(),
  version: z.string(),
  ...Object.fromEntries(rightsFields.map((name) => [name, z.string()])),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const sent = await readForm(request, groupForm);
  const id = url.searchParams.get("id");
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/users/roles", notice);
  const intent = sent.get("intent");
  if (id && intent === "remove") {
    return handleForm(sent, {
      schema: z.object({}),
      async save() {
        await provider.removeAccessGroup({ params: { id } });
        return leave("The access group was removed");
      },
    });
  }
  const form = asRecord(sent);
  if (intent === "explain") return replyUnchecked(form, updateAccessGroup.body);
  if (!id) {
    return handleForm(form, {
      schema: createAccessGroup.body,
      async save(body) {
        await provider.createAccessGroup({ body });
        return leave(`Group “${body.name}” was added`);
      },
    });
  }
  return handleForm(form, {
    schema: updateAccessGroup.body,
    async save(body) {
      await provider.updateAccessGroup({ params: { id }, body });
      return leave(`Group “${body.name}” was saved`);
    },
  });
}

/** The form as the contract has a group: each area's choices as one permission string. */
function asRecord(form: Fields) {
  const version = form.get("version");
  const record = { name: form.get("name") ?? "", ...permissionsIn(form), ...(version !== null && { version }) };
  return fieldsFrom(Object.entries(record), updateAccessGroup.body);
}

const tabs = [{ id: "group", label: "Group" }];

export default function GroupPage({ loaderData: { group, history, values }, actionData }: Route.ComponentProps) {
  const shownTabs = withHistory(tabs, history);
  const tab = useTab(shownTabs);
  const title = group ? "Edit access group" : "Add access group";
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <Link className="back" to="/users/roles">
        <ArrowLeft className="ico" />
        Back to the access groups
      </Link>
      <div className="page-head mt-1">
        <h1>{title}</h1>
      </div>
      <section className="panel" aria-label={title}>
        {shownTabs.length > 1 && <Tabs label="Access group" tabs={shownTabs} />}
        {tab === "history" && history ? (
          <History history={history} />
        ) : (
          // A new form for every group, as one address leads to all of them.
          <GroupForm key={group?.id ?? "new"} group={group} saved={values} reply={actionData} />
        )}
      </section>
    </>
  );
}

import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { data, Form, Link, redirect } from "react-router";
import { z } from "zod";
import { createAccessGroup, updateAccessGroup } from "#provider/contract/access-groups.ts";
import { areaNames, areas, permissionInWords } from "#provider/contract/areas.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { History, withHistory } from "../../components/history.tsx";
import { MainSubmit } from "../../components/main-submit.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ConflictNotice } from "../../components/conflict.ts";
import { formValues, type RecordField } from "../../components/record-fields.ts";
import { recordForm } from "../../components/record-form.tsx";
import { Tabs, useTab } from "../../components/tabs.tsx";
import { mustBeAllowed } from "../../server/sessions/current-user.ts";
import { readHistory } from "../../server/history.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUnsupported } from "../../server/provider/failure.ts";
import { type Fields, fieldsFrom } from "../../server/forms/forms.ts";
import { handleRecord, readRecord, type Refusal } from "../../server/forms/records.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/group";
import { Meaning } from "./meaning.tsx";
import { permissionsIn, RightsFields, rightsFields } from "./rights-fields.tsx";

/** One form to add an access group and, with `?id=`, to change one. */

export async function loader({ context, url }: Route.LoaderArgs) {
  const id = url.searchParams.get("id");
  mustBeAllowed(context, "roles", id ? "write" : "create", id ? "change access groups" : "add access groups");
  const provider = getProvider(context);
  const ask = () => provider.firstPage("listAccessGroups", { per_page: "1" });
  // A provider that has no groups says so before one is filled in for nothing.
  if (!id) await ask();
  const group = id ? await orUnsupported(provider.getAccessGroup({ params: { id } }), ask) : undefined;
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
  const sent = await readRecord(request, groupForm);
  const id = url.searchParams.get("id");
  const provider = getProvider(context);
  const leave = (notice: string) => {
    setNotice(context, notice);
    return redirect("/users/roles");
  };
  const go = sent.form.get("go");
  if (id && go === "remove") {
    return handleRecord(sent, {
      schema: z.object({}),
      async save() {
        await provider.removeAccessGroup({ params: { id } });
        return leave("The access group was removed");
      },
    });
  }
  const typed = { ...sent, form: asRecord(sent.form) };
  if (go === "explain")
    return data<Refusal>({
      values: Object.fromEntries(typed.form.parameters(updateAccessGroup.body)),
      errors: {},
      isStale: false,
    });
  if (!id) {
    return handleRecord(typed, {
      schema: createAccessGroup.body,
      async save(body) {
        await provider.createAccessGroup({ body });
        return leave(`Group “${body.name}” was added`);
      },
    });
  }
  return handleRecord(typed, {
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

export default function GroupPage(props: Route.ComponentProps) {
  const { group, history } = props.loaderData;
  const shownTabs = withHistory(tabs, history);
  const tab = useTab(shownTabs);
  const title = group ? "Edit access group" : "Add access group";
  const summary = recordForm({}, props.actionData).summary;
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
          <GroupForm key={group?.id ?? "new"} {...props} />
        )}
      </section>
    </>
  );
}

function GroupForm({ loaderData: { group, ...saved }, actionData }: Route.ComponentProps) {
  const { values, field, isStale, version } = recordForm(saved.values, actionData);
  const { open, openTo, closeTo } = useDialog();
  const [chosen, setChosen] = useState<Record<string, string>>();
  const act = group ? "Update group" : "Add group";
  return (
    <>
      <Form
        method="post"
        noValidate
        preventScrollReset
        defaultShouldRevalidate
        onChange={({ currentTarget }) => setChosen(permissionsIn(new FormData(currentTarget)))}
      >
        <MainSubmit value="save" />
        {group && <input type="hidden" name="version" value={version} />}
        {isStale && <ConflictNotice fields={groupFields} mine={values} theirs={saved.values} submitLabel={act} />}
        <section className="form-section" aria-labelledby="group">
          <h2 id="group">Group</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} autoComplete="off" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="rights">
          <div>
            <h2 id="rights">Rights</h2>
            <p className="hint mt-1">
              How far its members reach, and what they may do there. Write and create bring read with them.
            </p>
          </div>
          <div>
            <RightsFields field={field} />
          </div>
        </section>
        <section className="form-section" aria-labelledby="meaning">
          <div>
            <h2 id="meaning">In words</h2>
            <noscript>
              <button type="submit" className="btn btn-quiet mt-2" name="go" value="explain">
                Show what this means
              </button>
            </noscript>
          </div>
          <Meaning permissions={chosen ?? values} />
        </section>
        <FormFoot
          act={act}
          cancelTo="/users/roles"
          removal={group && { label: "Remove group", to: openTo("remove") }}
        />
      </Form>
      {group && open === "remove" && (
        <ConfirmDialog title={`Remove ${group.name}?`} confirm="Remove group" go="remove" isDanger closeTo={closeTo}>
          <p>No user can be put into it any more, and no document can name it. Its history stays.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const groupFields: RecordField[] = [
  { name: "name", label: "Name" },
  ...areas.map((area) => ({ name: area, label: areaNames[area], inWords: permissionInWords })),
];

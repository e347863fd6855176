import { lazy, useState } from "react";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { type AccessGroup, createAccessGroup, updateAccessGroup } from "#provider/contract/access-groups.ts";
import { areas, permissionOf } from "#provider/contract/areas.ts";
import { historyInWords } from "../../components/record/audit-words.server.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { History, withHistory } from "../../components/record/history.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { openTab, Tabs, useTab } from "../../components/frame/tabs.tsx";
import { getOffers, getUser, may, requireRight } from "../../server/sessions/current-user.ts";
import { readHistory } from "../../server/history.ts";
import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUnsupported } from "../../server/provider/failure.ts";
import { type Fields, fieldsFrom, handleForm, readForm, replyUnchecked } from "../../server/forms/forms.ts";
import { hasSingleSignOn } from "../../server/sessions/single-sign-on.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/group";
import { GroupForm } from "./group-form.tsx";
import { permissionsIn, rightsFields } from "./rights-fields.tsx";

/** Browsers fetch their code when they are shown. */
const Members = lazy(() => import("./group-members.tsx"));
const GroupRights = lazy(() => import("./group-rights.tsx"));

const groupTab = { id: "group", label: t("common.accessGroup") };
const membersTab = { id: "members", label: t("users.groupMembers.members") };

/** A form to add an access group and, with `?id=`, to change one; users who may only read see it in words. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const id = url.searchParams.get("id");
  const page = await (id ? readGroup(context, url, id) : readNewGroup(context, url));
  const { secondFactor: hasFactors, releases: hasReleases } = getOffers(context);
  return { ...page, hasFactors, hasReleases };
}

async function readGroup(context: Route.LoaderArgs["context"], url: URL, id: string) {
  requireRight(context, "roles", "read", t("users.group.seeAccessGroups"));
  const provider = getProvider(context);
  const user = getUser(context);
  const params = { id };
  const group = await orUnsupported(provider.getAccessGroup({ params }), () =>
    provider.firstPage("listAccessGroups", { per_page: "1" }),
  );
  const tabs = may(user, "users", "read") ? [groupTab, membersTab] : [groupTab];
  const [history, part] = await Promise.all([
    readHistory(context, "accessGroupHistory", { params, url }).then(historyInWords),
    openTab(tabs, url.searchParams) === membersTab.id
      ? readList(provider, "listMembers", parseListQuery(url, "listMembers"), { params })
      : undefined,
  ]);
  const mayEdit = may(user, "roles", "write");
  return { group, history, part, tabs, mayEdit, values: formValues(group), groups: [], copied: "" };
}

/** With `copy`, filled with the rights of that access group. */
async function readNewGroup(context: Route.LoaderArgs["context"], url: URL) {
  requireRight(context, "roles", "create", t("users.group.addAccessGroups"));
  // A provider that has no groups says so before one is filled in for nothing.
  const all = await readGroups(context);
  const copy = url.searchParams.get("copy") ?? "";
  const rights = rightsToCopy(all, copy);
  const values = { ...rights, ...(hasSingleSignOn() && { identity_groups: "" }) };
  const groups = [readOnly, ...all.map(({ id, name }) => ({ value: String(id), label: name }))];
  const nothing = { group: undefined, history: undefined, part: undefined };
  return { ...nothing, tabs: [groupTab], mayEdit: true, values, groups, copied: rights ? copy : "" };
}

/** The form's own fields, which `asRecord` turns into the contract's. */
const groupForm = z.object({
  copy: z.string(),
  name: z.string(),
  requires_second_factor: z.string(),
  identity_groups: z.string(),
  version: z.string(),
  ...Object.fromEntries(rightsFields.map((name) => [name, z.string()])),
});

export async function action({ request, context, url }: Route.ActionArgs) {
  const received = await readForm(request, groupForm);
  const id = url.searchParams.get("id");
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/users/roles", notice);
  const intent = received.get("intent");
  if (id && intent === "remove") {
    return handleForm(received, {
      schema: z.object({}),
      async save() {
        const { name } = await provider.getAccessGroup({ params: { id } });
        await provider.removeAccessGroup({ params: { id } });
        return leave(t("users.group.removed", { name }));
      },
    });
  }
  const form = asRecord(received, getOffers(context).secondFactor);
  if (intent === "copy") return replyUnchecked(await withCopied(context, received), copiedForm);
  if (!id) {
    return handleForm(form, {
      schema: createAccessGroup.body,
      async save(body) {
        await provider.createAccessGroup({ body });
        return leave(t("users.group.added", { name: body.name }));
      },
    });
  }
  return handleForm(form, {
    schema: updateAccessGroup.body,
    async save(body) {
      await provider.updateAccessGroup({ params: { id }, body });
      return leave(t("users.group.saved", { name: body.name }));
    },
  });
}

/** The form as the contract has a group: each area's choices as one permission string. */
function asRecord(form: Fields, hasFactors: boolean) {
  const version = form.get("version");
  const intent = form.get("intent") ?? "";
  const groups = form.get("identity_groups");
  const record = {
    name: form.get("name") ?? "",
    ...(groups !== null && { identity_groups: groups }),
    ...(hasFactors && { requires_second_factor: form.has("requires_second_factor") ? "1" : "0" }),
    ...permissionsIn(form),
    ...(version !== null && { version }),
    intent,
  };
  return fieldsFrom(Object.entries(record), updateAccessGroup.body, z.object({ intent: z.string() }));
}

const copiedForm = updateAccessGroup.body.safeExtend({ copy: z.string(), intent: z.string() });

/** The form with the rights of the access group that was chosen, or its own if none was. */
async function withCopied(context: Route.ActionArgs["context"], form: Fields) {
  const copy = form.get("copy") ?? "";
  const rights = rightsToCopy(await readGroups(context), copy) ?? permissionsIn(form);
  const identity_groups = form.get("identity_groups") ?? "";
  const record = { name: form.get("name") ?? "", identity_groups, ...rights, copy, intent: "copy" };
  return fieldsFrom(Object.entries(record), copiedForm);
}

const readGroups = (context: Route.ActionArgs["context"]) =>
  getProvider(context).firstPage("listAccessGroups", { per_page: "100" });

/** In place of a group to copy. */
const readOnly = { value: "read", label: t("users.copyRights.readOnlyEverywhere") };

function rightsToCopy(groups: AccessGroup[], copy: string): Record<string, string> | undefined {
  const group = groups.find(({ id }) => String(id) === copy);
  if (!group && copy !== readOnly.value) return undefined;
  const readAll = permissionOf("company", ["read"]);
  return formValues(Object.fromEntries(areas.map((area) => [area, group ? group[area] : readAll])));
}

export default function GroupPage({ loaderData, actionData }: Route.ComponentProps) {
  const { group, history, part, tabs, mayEdit, values, groups, copied, hasFactors, hasReleases } = loaderData;
  const shownTabs = withHistory(tabs, history);
  const tab = useTab(shownTabs);
  const title = !group ? t("users.groupForm.addAccessGroup") : mayEdit ? t("users.group.editAccessGroup") : group.name;
  const { summary, values: sent } = formState({}, actionData);
  const copies = useCount(sent.intent === "copy" ? actionData : undefined);
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to="/users/roles">{t("users.group.backToTheAccessGroups")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>{title}</h1>
          {group && mayEdit && <p className="lead [overflow-wrap:anywhere]">{group.name}</p>}
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label={title}>
        {shownTabs.length > 1 && <Tabs label={t("common.accessGroup")} tabs={shownTabs} />}
        {tab === "history" && history && <History history={history} />}
        {tab === membersTab.id && part && <Members part={part} members={group?.members} />}
        {tab === groupTab.id && group && !mayEdit && <GroupRights group={group} />}
        {tab === groupTab.id && mayEdit && (
          // A new form for every group, as one address leads to all of them.
          <GroupForm
            key={group?.id ?? `copy ${copies} of ${copied}`}
            group={group}
            groups={groups}
            saved={{ ...values, copy: copied }}
            reply={actionData}
            hasFactors={hasFactors}
            hasReleases={hasReleases}
          />
        )}
      </section>
    </>
  );
}

/** How many replies there were so far. */
function useCount(reply: unknown) {
  const [count, setCount] = useState({ reply, replies: 0 });
  if (!reply || reply === count.reply) return count.replies;
  setCount({ reply, replies: count.replies + 1 });
  return count.replies + 1;
}

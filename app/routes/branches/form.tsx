import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { createBranch, updateBranch } from "#provider/contract/branches.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { listAddress } from "../../components/list/list-address.ts";
import { RecordEditor } from "../../components/record/record-editor.tsx";
import { formValues, without } from "../../components/record/record-fields.ts";
import { branchSections } from "../../components/record/record-tables.ts";
import { requireRight, requireRightInCompany } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handleFileForm, readPictureForm } from "../../server/forms/file-form.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { readSuggestions } from "../../server/suggestions.ts";
import { readManagers } from "./managers.server.ts";
import { readBranch, requestBranches } from "./read-branch.server.ts";

/** Adds a branch, or changes the one in the address. */

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (id) requireRight(context, "branches", "write", t("branches.form.changeAction"));
  else requireRightInCompany(context, "branches", "create", t("branches.form.addAction"));
  const branch = id ? await readBranch(context, id) : undefined;
  if (!branch) await requestBranches(context);
  const [managers, { country }] = await Promise.all([readManagers(context, branch), readSuggestions(context)]);
  return { branch, values: branch ? formValues(branch) : {}, managers, country };
}

export async function action({ request, context, url, params: { id } }: Route.ActionArgs) {
  const form = await readPictureForm(request, updateBranch.body);
  const provider = getProvider(context);
  const leave = (notice: string) =>
    redirectWithNotice(context, id ? listAddress(list.to, url.searchParams) : list.to, notice);
  if (!id) {
    return handleFileForm(form, {
      schema: createBranch.body,
      async save(body, image) {
        await provider.createBranch({ body, image });
        return leave(t("common.nameWasAdded", { name: body.name }));
      },
    });
  }
  if (form.form.get("intent") === "remove") {
    return handleFileForm(form, {
      schema: z.object({}),
      async save() {
        const { name } = await provider.getBranch({ params: { id } });
        await provider.removeBranch({ params: { id } });
        return leave(t("common.nameWasRemoved", { name }));
      },
    });
  }
  return handleFileForm(form, {
    schema: updateBranch.body,
    async save(body, image) {
      await provider.updateBranch({ params: { id }, body, image });
      return leave(t("common.nameChangesSaved", { name: body.name }));
    },
  });
}

const list = { to: "/branches/list", label: t("branches.form.backToListOfBranches") };

export default function BranchForm({ loaderData, actionData }: Route.ComponentProps) {
  const { branch, managers, country, values } = loaderData;
  const form = formState(values, actionData);
  return (
    <FormPage
      title={branch ? t("branches.form.editBranch") : t("common.addNewBranch")}
      errors={form.summary}
      back={list}
      record={branch && { to: `/branches/view/${branch.id}`, name: branch.name }}
    >
      <RecordEditor
        form={form}
        sections={without(branchSections, [managers ? "manager" : "manager_id"])}
        saved={branch && values}
        choices={{ country, ...(managers && { manager_id: { options: managers } }) }}
        picture={branch && { name: branch.name, src: imageSrc(`branches/${branch.id}`, branch.imageUrl) }}
        submitLabel={branch ? t("branches.form.updateBranch") : t("branches.form.addBranch")}
        cancelTo={list.to}
        removal={
          branch && {
            title: t("common.removeName", { name: branch.name }),
            label: t("branches.form.removeBranch"),
            effect: t("branches.form.effectOfRemoving"),
          }
        }
      />
    </FormPage>
  );
}

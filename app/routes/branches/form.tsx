import { ArrowLeft } from "lucide-react";
import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import { createBranch, updateBranch } from "#provider/contract/branches.ts";
import { imageSrc } from "../../components/avatar.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { formState } from "../../components/form-state.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { asTyped, SavedMeanwhile } from "../../components/record-form.tsx";
import { mayInCompany, mustBeAllowed } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handlePictureForm, readPictureForm } from "../../server/forms/picture-form.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { readManagers } from "./managers.server.ts";
import { readBranch, askForBranches } from "./read-branch.server.ts";

/** One form to add a branch and to change one: the address says which. */

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (id) mustBeAllowed(context, "branches", "write", "change branches");
  else mustBeAllowed(context, "branches", "create", "add branches", mayInCompany);
  const branch = id ? await readBranch(context, id) : undefined;
  if (!branch) await askForBranches(context);
  return { branch, values: branch ? asTyped(branch) : {}, managers: await readManagers(context, branch) };
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const sent = await readPictureForm(request, updateBranch.body);
  const provider = getProvider(context);
  const leave = (notice: string) => {
    setNotice(context, notice);
    return redirect("/branches/list");
  };
  if (!id) {
    return handlePictureForm(sent, {
      schema: createBranch.body,
      async save(body, image) {
        await provider.createBranch({ body, image });
        return leave(`${body.name} was added`);
      },
    });
  }
  if (sent.form.get("intent") === "remove") {
    return handlePictureForm(sent, {
      schema: z.object({}),
      async save() {
        await provider.removeBranch({ params: { id } });
        return leave("The branch was removed");
      },
    });
  }
  return handlePictureForm(sent, {
    schema: updateBranch.body,
    async save(body, image) {
      await provider.updateBranch({ params: { id }, body, image });
      return leave(`${body.name}: changes saved`);
    },
  });
}

/** After a refusal as well: the form must know the version that it now builds on. */
export const shouldRevalidate = () => true;

export default function BranchForm({ loaderData, actionData }: Route.ComponentProps) {
  const { branch, managers, ...saved } = loaderData;
  const { values, field, summary, isStale, version } = formState(saved.values, actionData);
  const { open, openTo, closeTo } = useDialog();
  const title = branch ? "Edit branch" : "Add new branch";
  const named = (record: Record<string, string>) => {
    const chosen = managers?.find(({ value }) => value === record.manager_id);
    return managers ? { ...record, manager: chosen?.label ?? "" } : record;
  };
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <Link className="back" to="/branches/list">
        <ArrowLeft className="ico" />
        Back to the list of branches
      </Link>
      <div className="page-head mt-1">
        <h1>{title}</h1>
      </div>
      <Form method="post" encType="multipart/form-data" className="panel" noValidate preventScrollReset>
        {branch && <input type="hidden" name="version" value={version} />}
        {isStale && (
          <SavedMeanwhile typed={named(values)} saved={named(saved.values)} labels={labels} act="Update branch" />
        )}
        <section className="form-section" aria-labelledby="branch">
          <h2 id="branch">Branch</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} autoComplete="off" />
            <Field field={field("email")} label="Email" type="email" spellCheck={false} autoComplete="off" />
            <Field field={field("phone")} label="Phone" type="tel" autoComplete="off" />
            <ImageField
              field={field("image")}
              name={branch?.name ?? ""}
              src={branch && imageSrc(`branches/${branch.id}`, branch.imageUrl)}
            />
            {managers ? (
              <Field
                field={field("manager_id")}
                label="Manager"
                options={[{ value: "", label: "No manager" }, ...managers]}
              />
            ) : (
              <Field field={field("manager")} label="Manager" autoComplete="off" />
            )}
          </div>
        </section>
        <section className="form-section" aria-labelledby="place">
          <h2 id="place">Place</h2>
          <div className="form-grid">
            <Field field={field("country")} label="Country" maxLength={100} autoComplete="off" />
            <Field field={field("city")} label="City" maxLength={100} autoComplete="off" />
            <Field field={field("index")} label="Index" autoComplete="off" />
            <Field field={field("address")} label="Address" autoComplete="off" />
          </div>
        </section>
        <FormFoot
          act={branch ? "Update branch" : "Add branch"}
          cancelTo="/branches/list"
          removal={branch && { label: "Remove branch", to: openTo("remove") }}
        />
      </Form>
      {branch && open === "remove" && (
        <ConfirmDialog
          title={`Remove ${branch.name}?`}
          confirm="Remove branch"
          intent="remove"
          isDanger
          closeTo={closeTo}
        >
          <p>It can’t be chosen any more. Documents in the archive go on naming it.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const labels = {
  name: "Name",
  email: "Email",
  phone: "Phone",
  manager: "Manager",
  country: "Country",
  city: "City",
  index: "Index",
  address: "Address",
};

import { ArrowLeft } from "lucide-react";
import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import { createUser, updateUser } from "#provider/contract/users.ts";
import { imageSrc } from "../../components/avatar.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { asksPassword, CurrentPassword, withPassword } from "../../components/current-password.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Field } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { FormFoot } from "../../components/form-foot.tsx";
import { formState } from "../../components/form-state.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { PendingEmail, pendingEmailIntents } from "../../components/pending-email.tsx";
import { asTyped, SavedMeanwhile } from "../../components/record-form.tsx";
import { getUser, mustBeAllowed } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handlePictureForm, readPictureForm } from "../../server/forms/picture-form.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { readOptions } from "./options.server.ts";

/** One form to add a user and to change one: the address says which. */

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id } = params;
  mustBeAllowed(context, "users", id ? "write" : "create", id ? "change users" : "add users");
  const user = id ? await getProvider(context).getUser({ params: { id } }) : undefined;
  return {
    isSelf: user?.id === getUser(context).id,
    user,
    values: user ? asTyped(user) : {},
    options: await readOptions(context),
  };
}

const secrets = ["password", "password_confirmation", "current_password"];

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const sent = await readPictureForm(request, updateUser.body);
  const provider = getProvider(context);
  /** Straight to where /users leads: a notice is for the next page only. */
  const leave = (notice: string) => {
    setNotice(context, notice);
    return redirect("/users/list");
  };
  if (!id) {
    return handlePictureForm(sent, {
      schema: createUser.body,
      secrets,
      async save(body, image) {
        await provider.createUser({ body, image });
        return leave(addedNotice(body));
      },
    });
  }
  if (sent.form.get("intent") === "remove") {
    return handlePictureForm(sent, {
      schema: z.object({}),
      async save() {
        await provider.removeUser({ params: { id } });
        return leave("The user was removed");
      },
    });
  }
  const intent = sent.form.get("intent");
  if (intent === pendingEmailIntents.again || intent === pendingEmailIntents.cancel) {
    return handlePictureForm(sent, {
      schema: z.object({}),
      async save() {
        if (intent === pendingEmailIntents.again) await provider.resendUserEmail({ params: { id } });
        else await provider.cancelUserEmail({ params: { id } });
        setNotice(
          context,
          intent === pendingEmailIntents.again ? "A new link is on its way" : "The email stays as it is",
        );
        return redirect(`/users/edit/${id}`);
      },
    });
  }
  return handlePictureForm(sent, {
    schema: updateUser.body,
    secrets,
    async save(body, image) {
      const saved = await provider.updateUser({ params: { id }, body, image });
      const isPending = saved?.email && saved.email.toLowerCase() !== body.email.toLowerCase();
      return leave(`${body.name}: changes saved${isPending ? `. ${body.email} waits to be confirmed` : ""}`);
    },
  });
}

const addedNotice = ({ name, email, password }: { name: string; email: string; password: string }) =>
  password ? `${name} was added` : `${name} was added, and is invited by mail to ${email}`;

/** After a refusal as well: the form must know the version that it now builds on. */
export const shouldRevalidate = () => true;

export default function UserForm({ loaderData, actionData }: Route.ComponentProps) {
  const { user, isSelf, options, ...saved } = loaderData;
  const { values, field, summary, isStale, version } = formState(saved.values, actionData);
  const isAsked = asksPassword({ values, field });
  const { open, openTo, closeTo } = useDialog();
  const title = user ? "Edit user" : "Add new user";
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <Link className="back" to="/users/list">
        <ArrowLeft className="ico" />
        Back to the list of users
      </Link>
      <div className="page-head mt-1">
        <h1>{title}</h1>
      </div>
      {user?.pending_email && (
        <PendingEmail email={user.pending_email} rest={`Until then the user signs in with ${user.email}.`} />
      )}
      <Form method="post" encType="multipart/form-data" className="panel" noValidate preventScrollReset>
        {user && <input type="hidden" name="version" value={version} />}
        {isStale && <SavedMeanwhile typed={values} saved={saved.values} labels={labels} act="Update user" />}
        <section className="form-section" aria-labelledby="person">
          <h2 id="person">Person</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} autoComplete="off" />
            <Field field={field("email")} label="Email" type="email" spellCheck={false} autoComplete="off" />
            {isAsked && <CurrentPassword field={field} />}
            <Field field={field("phone")} label="Phone" type="tel" autoComplete="off" />
            <ImageField
              field={field("image")}
              name={user?.name ?? ""}
              src={user && imageSrc(`users/${user.id}`, user.imageUrl)}
            />
          </div>
        </section>
        <section className="form-section" aria-labelledby="place">
          <h2 id="place">Place of work</h2>
          <div className="form-grid">
            <ChoiceField field={field("branch")} label="Branch" none="No branch" from={options.branches} />
            <Field field={field("country")} label="Country" autoComplete="off" />
            <Field field={field("city")} label="City" autoComplete="off" />
            <Field field={field("index")} label="Index" autoComplete="off" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="access">
          <div>
            <h2 id="access">Access</h2>
            <p className="hint mt-1">What the user can see and change.</p>
          </div>
          <div className="form-grid">
            <Field field={field("role")} label="Role" hint="The job title; it gives no rights" autoComplete="off" />
            <ChoiceField
              field={field("staff")}
              label="Access group"
              hint="This gives the rights"
              none="Choose …"
              from={options.groups}
            />
            <Field field={field("info")} label="Additional information" rows={3} className="col-span-full" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="sign-in">
          <div>
            <h2 id="sign-in">Signing in</h2>
            <p className="hint mt-1">
              {user ? "Empty: it stays as it is." : "Empty: an invitation is sent, and the user sets it."}
            </p>
          </div>
          <div className="form-grid">
            <Field
              field={field("password")}
              label="Password"
              hint="At least 12 characters. Several words are easy to keep in mind."
              type="password"
              autoComplete="new-password"
            />
            <Field
              field={field("password_confirmation")}
              label="Confirm password"
              type="password"
              autoComplete="new-password"
            />
            {user && !isSelf && (
              <Field
                field={field("active")}
                label="Active"
                hint="Whether the user can sign in"
                options={[
                  { value: "1", label: "Yes" },
                  { value: "0", label: "No" },
                ]}
              />
            )}
          </div>
        </section>
        <FormFoot
          act={user ? "Update user" : "Add user"}
          {...(isAsked && { intent: withPassword })}
          cancelTo="/users/list"
          removal={user?.active ? { label: "Remove user", to: openTo("remove") } : undefined}
        />
      </Form>
      {user && open === "remove" && (
        <ConfirmDialog title={`Remove ${user.name}?`} confirm="Remove user" intent="remove" isDanger closeTo={closeTo}>
          <p>They can’t sign in any more. Their documents and their history stay.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const labels = {
  name: "Name",
  email: "Email",
  phone: "Phone",
  branch: "Branch",
  country: "Country",
  city: "City",
  index: "Index",
  role: "Role",
  staff: "Access group",
  info: "Additional information",
};

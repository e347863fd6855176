import { z } from "zod";
import { createUser, updateUser } from "#provider/contract/users.ts";
import { imageSrc } from "../../components/avatar.tsx";
import { asksPassword, withPassword } from "../../components/current-password.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { formState } from "../../components/form-state.ts";
import { PendingEmail, pendingEmailIntents } from "../../components/pending-email.tsx";
import { RecordEditor } from "../../components/record-editor.tsx";
import { formValues, without } from "../../components/record-fields.ts";
import { userSections } from "../../components/record-tables.ts";
import { getUser, requireRight } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handlePictureForm, readPictureForm } from "../../server/forms/picture-form.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { readOptions } from "./options.server.ts";

/** Adds a user, or changes the one in the address. */

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id } = params;
  requireRight(context, "users", id ? "write" : "create", id ? "change users" : "add users");
  const user = id ? await getProvider(context).getUser({ params: { id } }) : undefined;
  return {
    isSelf: user?.id === getUser(context).id,
    user,
    values: user ? formValues(user) : {},
    options: await readOptions(context),
  };
}

const secrets = ["password", "password_confirmation", "current_password"];

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const sent = await readPictureForm(request, updateUser.body);
  const provider = getProvider(context);
  /** Not to /users, which redirects: a notice is for the next page only. */
  const leave = (notice: string) => redirectWithNotice(context, "/users/list", notice);
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
        return redirectWithNotice(
          context,
          `/users/edit/${id}`,
          intent === pendingEmailIntents.again ? "A new link is on its way" : "The email stays as it is",
        );
      },
    });
  }
  return handlePictureForm(sent, {
    schema: updateUser.body,
    secrets,
    async save(body, image) {
      const saved = await provider.updateUser({ params: { id }, body, image });
      const isPending = saved?.email && saved.email.toLowerCase() !== body.email.toLowerCase();
      return leave(`${body.name}: changes saved${isPending ? `. ${body.email} is not confirmed yet` : ""}`);
    },
  });
}

const addedNotice = ({ name, email, password }: { name: string; email: string; password: string }) =>
  password ? `${name} was added` : `${name} was added, and is invited by mail to ${email}`;

const list = { to: "/users/list", label: "Back to the list of users" };

export default function UserForm({ loaderData, actionData }: Route.ComponentProps) {
  const { user, isSelf, options, values } = loaderData;
  const form = formState(values, actionData);
  const needsPassword = asksPassword(form);
  return (
    <FormPage title={user ? "Edit user" : "Add new user"} errors={form.summary} back={list}>
      {user?.pending_email && (
        <PendingEmail email={user.pending_email} rest={`Until then the user signs in with ${user.email}.`} />
      )}
      <RecordEditor
        form={form}
        sections={without(userSections, [needsPassword ? "" : "current_password", user && !isSelf ? "" : "active"])}
        saved={user && values}
        choices={{ branch: options.branches, staff: options.groups }}
        hints={{
          "sign-in": user
            ? "Leave it empty to keep the password."
            : "Leave it empty to send an invitation, with which the user sets it.",
        }}
        picture={user && { name: user.name, src: imageSrc(`users/${user.id}`, user.imageUrl) }}
        submitLabel={user ? "Update user" : "Add user"}
        intent={needsPassword ? withPassword : undefined}
        cancelTo={list.to}
        removal={
          user?.active
            ? {
                title: `Remove ${user.name}?`,
                label: "Remove user",
                effect: "They can’t sign in any more. Their documents and their history stay.",
              }
            : undefined
        }
      />
    </FormPage>
  );
}

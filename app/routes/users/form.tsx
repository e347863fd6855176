import { foldEmail } from "#lib/text.ts";
import { Link } from "react-router";
import { z } from "zod";
import { t, tRich } from "#lib/messages/staff.ts";
import { createUser, UserForm as userForm } from "#provider/contract/users.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { formState } from "../../components/form/form-state.ts";
import { listAddress } from "../../components/list/list-address.ts";
import { PendingEmail, pendingEmailIntents } from "../../components/user/pending-email.tsx";
import { RecordEditor } from "../../components/record/record-editor.tsx";
import { formValues, without } from "../../components/record/record-fields.ts";
import { userSections } from "../../components/record/record-tables.ts";
import { getOffers, getUser, requireRight } from "../../server/sessions/current-user.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handleFileForm, readPictureForm } from "../../server/forms/file-form.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/form";
import { setActive } from "./active.server.ts";
import { addedNotice, handedLink } from "./invitation-notices.server.ts";
import { GroupsInWords } from "./groups-in-words.tsx";
import { readOptions } from "./options.server.ts";

/** Adds a user, or changes the one in the address. */

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id } = params;
  requireRight(context, "users", id ? "write" : "create", id ? t("users.form.changeUsers") : t("users.form.addUsers"));
  const provider = getProvider(context);
  const offers = getOffers(context);
  const [user, factor, options] = await Promise.all([
    id ? provider.getUser({ params: { id } }) : undefined,
    offers.secondFactor ? provider.getSecondFactor() : undefined,
    readOptions(context),
  ]);
  return {
    offers,
    hasPasswords: !factor?.passwords_off,
    isSelf: user?.id === getUser(context).id,
    user,
    values: user ? formValues(user) : {},
    ...options,
  };
}

const secrets = ["password", "password_confirmation"];

export async function action({ request, context, url, params: { id } }: Route.ActionArgs) {
  const form = await readPictureForm(request, userForm);
  const provider = getProvider(context);
  const offers = getOffers(context);
  const leave = (notice: string, handed?: ReturnType<typeof handedLink>) =>
    redirectWithNotice(context, id ? listAddress(list, url.searchParams) : list, notice, { handed });
  if (!id) {
    return handleFileForm(form, {
      schema: createUser.body,
      secrets,
      async save(body, image) {
        const invitation = (await provider.createUser({ body, image }))?.invitation;
        return leave(addedNotice(body, invitation), handedLink(body.name, invitation));
      },
    });
  }
  if (form.form.get("intent") === "remove") {
    return handleFileForm(form, {
      schema: z.object({}),
      async save() {
        const { name } = await provider.getUser({ params: { id } });
        await setActive(context, id, false);
        return leave(t("common.nameWasRemoved", { name }));
      },
    });
  }
  const intent = form.form.get("intent");
  if (intent === pendingEmailIntents.again || intent === pendingEmailIntents.cancel) {
    return handleFileForm(form, {
      schema: z.object({}),
      async save() {
        const { name, pending_email } = await provider.getUser({ params: { id } });
        const isAgain = intent === pendingEmailIntents.again;
        if (isAgain) await provider.resendUserEmail({ params: { id } });
        else await provider.cancelUserEmail({ params: { id } });
        const notice = isAgain
          ? t("users.form.newLinkOnItsWay", { name, email: pending_email ?? "" })
          : t("users.form.emailStays", { name });
        return redirectWithNotice(context, `/users/edit/${id}`, notice);
      },
    });
  }
  return handleFileForm(form, {
    schema: userForm,
    secrets,
    async save(body, image) {
      const saved = await provider.updateUser({ params: { id }, body, image });
      const isPending = offers.invitations && saved?.email && foldEmail(saved.email) !== foldEmail(body.email);
      return leave(
        isPending
          ? t("users.form.savedNotConfirmed", { name: body.name, email: body.email })
          : t("common.nameChangesSaved", { name: body.name }),
      );
    },
  });
}

/** Not /users, which redirects: a notice is for the next page only. */
const list = "/users/list";

export default function UserForm({ loaderData, actionData }: Route.ComponentProps) {
  const { user, offers, hasPasswords, isSelf, options, groups, values } = loaderData;
  const form = formState(values, actionData);
  return (
    <FormPage
      title={user ? t("users.form.editUser") : t("users.list.addNewUser")}
      errors={form.summary}
      back={{ to: list, label: t("common.backToTheListOfUsers") }}
      record={user && { to: `/users/view/${user.id}`, name: user.name }}
    >
      {user?.pending_email && (
        <PendingEmail email={user.pending_email} rest={t("users.form.untilThenEmail", { email: user.email })} />
      )}
      {user && !user.active && (
        <p className="notice is-warn mb-4">
          <span>
            {tRich("users.form.removedReactivateInstead", {
              link: (words) => <Link to={`/users/view/${user.id}?dialog=reactivate`}>{words}</Link>,
            })}
          </span>
        </p>
      )}
      <RecordEditor
        form={form}
        sections={hasPasswords ? userSections : without(userSections, ["password", "password_confirmation"])}
        saved={user && values}
        choices={options}
        hints={{
          "sign-in": !hasPasswords
            ? t("users.form.bySingleSignOnAlone")
            : user
              ? t("users.form.passwordHint")
              : offers.invitations
                ? t("users.form.passwordOfNewUserHint")
                : undefined,
        }}
        notes={{ access: groups.length > 0 && <GroupsInWords groups={groups} /> }}
        picture={user && { name: user.name, src: imageSrc(`users/${user.id}`, user.imageUrl) }}
        submitLabel={user ? t("users.form.updateUser") : t("common.addUser")}
        cancelTo={list}
        removal={
          user?.active && !isSelf
            ? {
                title: t("common.removeName", { name: user.name }),
                label: t("users.form.removeUser"),
                effect: t("users.form.whatRemovingDoes"),
              }
            : undefined
        }
      />
    </FormPage>
  );
}

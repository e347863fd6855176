import { data, Link } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { providerWithToken } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { nameAtLink } from "../../server/sessions/link-user.ts";
import { signBrowserIn } from "../../server/sessions/sign-in.ts";
import type { Route } from "./+types/sign-in-link";
import { LinkForAnother } from "./link-for-another.tsx";

/** Signs in by a link of the operator. Opening the page changes nothing. */

export const headers = actionHeaders;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? undefined;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  try {
    const user = await providerWithToken({ request, context }, tokenOf(url)).signInLink();
    return { user, message: "", signedInAs: await nameAtLink(context) };
  } catch (thrown) {
    const refused = asFailure(thrown, 401);
    if (!refused) throw thrown;
    return data({ user: undefined, message: refused.message, signedInAs: undefined }, { status: 401 });
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request), {
    schema: z.object({}),
    async save() {
      return signBrowserIn(context, null, await providerWithToken({ request, context }, tokenOf(url)).signInByLink());
    },
  });
}

export default function SignInLink({ loaderData: { user, message, signedInAs }, actionData }: Route.ComponentProps) {
  const { summary } = formState({}, actionData);
  if (!user) return <DeadLink message={message} />;
  if (signedInAs) return <LinkForAnother name={user.name || user.email} user={signedInAs} />;
  return (
    <>
      <PageTitle title={t("common.signIn")} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <h1>{t("common.signIn")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        {t("guest.signInLink.forName", { name: user.name, email: user.email })}
      </p>
      <Form method="post">
        <button className="btn btn-primary px-6" type="submit">
          {t("guest.signInLink.signInAsName", { name: user.name })}
        </button>
      </Form>
    </>
  );
}

const DeadLink = ({ message }: { message: string }) => (
  <>
    <PageTitle title={t("common.linkNotValid")} />
    <h1>{t("common.linkNotValid")}</h1>
    <p className="lead mb-6" role="alert">
      {t("guest.signInLink.linksEnd", { message })}
    </p>
    <Link className="btn btn-primary" to="/login">
      {t("common.goToSignIn")}
    </Link>
  </>
);

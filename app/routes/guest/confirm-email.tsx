import { data, Link, redirect, useSearchParams } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider, providerWithToken } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { nameAtLink } from "../../server/sessions/link-user.ts";
import type { Route } from "./+types/confirm-email";
import { LinkForAnother } from "./link-for-another.tsx";

/** Confirms an email address. Opening the page changes nothing: programs that check mail open every link. */

export const headers = actionHeaders;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? undefined;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (url.searchParams.has("done")) return { email: "", message: "", other: undefined };
  try {
    const { email } = await providerWithToken({ request, context }, tokenOf(url)).emailLink();
    return { email, message: "", other: await nameOfOther(context, email) };
  } catch (thrown) {
    const refused = asFailure(thrown, 401);
    if (!refused) throw thrown;
    return data({ email: "", message: refused.message, other: undefined }, { status: 401 });
  }
}

/** The user who is signed in, unless the address is to be theirs. */
async function nameOfOther(context: Route.LoaderArgs["context"], email: string) {
  const name = await nameAtLink(context);
  return name && (await getProvider(context).getProfile()).pending_email !== email ? name : undefined;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return handleForm(await readForm(request), {
    schema: z.object({}),
    async save() {
      await providerWithToken({ request, context }, tokenOf(url)).confirmEmail();
      return redirect("/confirm-email?done");
    },
  });
}

export default function ConfirmEmail({ loaderData: { email, message, other }, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  if (parameters.has("done")) return <Done />;
  if (message) return <DeadLink message={message} />;
  if (other) return <LinkForAnother name={email} user={other} />;
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={t("common.confirmEmail")} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <h1>{t("common.confirmEmail")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">{t("guest.confirmEmail.onceConfirmed", { email })}</p>
      <Form method="post" action={`/confirm-email?${parameters}`}>
        <button className="btn btn-primary px-6" type="submit">
          {t("common.confirmEmail")}
        </button>
      </Form>
    </>
  );
}

const Done = () => (
  <>
    <PageTitle title={t("guest.confirmEmail.emailConfirmed")} />
    <h1>{t("guest.confirmEmail.emailConfirmed")}</h1>
    <p className="lead mb-6">{t("guest.confirmEmail.signInWithItFromNowOn")}</p>
    <Link className="btn btn-primary px-6" to="/profile">
      {t("guest.confirmEmail.goToMyProfile")}
    </Link>
  </>
);

const DeadLink = ({ message }: { message: string }) => (
  <>
    <PageTitle title={t("guest.confirmEmail.emailNotConfirmed")} />
    <h1>{t("guest.confirmEmail.emailNotConfirmed")}</h1>
    <p className="lead mb-6" role="alert">
      {t("guest.confirmEmail.linksEnd", { message })}
    </p>
    <Link className="btn btn-primary px-6" to="/profile?edit">
      {t("guest.confirmEmail.goToMyProfile")}
    </Link>
  </>
);

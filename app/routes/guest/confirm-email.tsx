import { data, Form, Link, redirect, useSearchParams } from "react-router";
import { PageTitle } from "../../components/page-title.tsx";
import { discardBody } from "../../server/forms/forms.ts";
import { providerWithToken } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import type { Route } from "./+types/confirm-email";

/** Confirms an email address. Opening the page changes nothing, as programs that check mail open every link. */

const tokenOf = (url: URL) => url.searchParams.get("token") ?? undefined;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (url.searchParams.has("done")) return { email: "", message: "" };
  try {
    const { email } = await (await providerWithToken({ request, context }, tokenOf(url))).emailLink();
    return { email, message: "" };
  } catch (thrown) {
    const refused = asFailure(thrown, 401);
    if (!refused) throw thrown;
    return data({ email: "", message: refused.message }, { status: 401 });
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await discardBody(request);
  try {
    await (await providerWithToken({ request, context }, tokenOf(url))).confirmEmail();
    return redirect("/confirm-email?done");
  } catch (thrown) {
    const refused = asFailure(thrown, 401, 422, 429);
    if (!refused) throw thrown;
    return data({ message: refused.errors?.email?.[0] ?? refused.message }, { status: refused.status });
  }
}

export default function ConfirmEmail({ loaderData: { email, message }, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  if (parameters.has("done")) return <Done />;
  const refused = actionData?.message ?? message;
  if (refused) return <NotConfirmed message={refused} />;
  return (
    <>
      <PageTitle title="Confirm email" />
      <h1>Confirm email</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        From then on {email} is the email that you sign in with, and that Sealdesk writes to.
      </p>
      <Form method="post" action={`/confirm-email?${parameters}`}>
        <button className="btn btn-primary px-6" type="submit">
          Confirm email
        </button>
      </Form>
    </>
  );
}

const Done = () => (
  <>
    <PageTitle title="Email confirmed" />
    <h1>Email confirmed</h1>
    <p className="lead mb-6">You sign in with it from now on.</p>
    <Link className="btn btn-primary px-6" to="/profile">
      Go to my profile
    </Link>
  </>
);

const NotConfirmed = ({ message }: { message: string }) => (
  <>
    <PageTitle title="Email not confirmed" />
    <h1>Email not confirmed</h1>
    <p className="lead mb-6" role="alert">
      {message} Links can be used once and end after 24 hours. Enter the email again under My profile.
    </p>
    <Link className="btn btn-primary px-6" to="/profile?edit">
      Go to my profile
    </Link>
  </>
);

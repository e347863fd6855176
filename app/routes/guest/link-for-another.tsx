import { Link, useLocation } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";

type LinkForAnotherProps = {
  /** Whom the link is for; undefined if the provider does not say it. */
  name: string | undefined;
  user: string;
};

/** In place of what a link leads to, where a user is signed in. */
export function LinkForAnother({ name, user }: LinkForAnotherProps) {
  const { pathname, search } = useLocation();
  return (
    <>
      <PageTitle title={say("guest.linkForAnother.youAreSignedIn")} />
      <h1>{say("guest.linkForAnother.youAreSignedIn")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        {name ? say("guest.linkForAnother.forName", { name, user }) : say("guest.linkForAnother.forUnknown", { user })}{" "}
        {say("guest.linkForAnother.stays")}
      </p>
      <Form method="post" action={`/logout?${new URLSearchParams({ next: pathname + search })}`}>
        <div className="flex flex-wrap items-center gap-3">
          <button className="btn btn-primary px-6" type="submit">
            {say("guest.linkForAnother.logOutAndGoOn")}
          </button>
          <Link className="btn btn-quiet [overflow-wrap:anywhere]" to="/dashboard">
            {say("guest.linkForAnother.stay", { user })}
          </Link>
        </div>
      </Form>
    </>
  );
}

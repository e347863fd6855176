import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

export default function Congratulations() {
  return (
    <>
      <PageTitle title={say("guest.congratulations.congratulations")} />
      <h1>{say("guest.congratulations.congratulations")}</h1>
      <p className="lead mb-6">{say("guest.congratulations.passwordSet")}</p>
      <Link className="btn btn-primary px-6" to="/login">
        {say("guest.congratulations.loginNow")}
      </Link>
    </>
  );
}

import { Link } from "react-router";
import { PageTitle } from "../../components/page-title.tsx";

export default function Congratulations() {
  return (
    <>
      <PageTitle title="Congratulations" />
      <h1>Congratulations</h1>
      <p className="lead mb-6">Your password has been successfully set</p>
      <Link className="btn btn-primary px-6" to="/login">
        Login now
      </Link>
    </>
  );
}

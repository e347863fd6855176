import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

export default function Congratulations() {
  return (
    <>
      <PageTitle title={t("guest.congratulations.congratulations")} />
      <h1>{t("guest.congratulations.congratulations")}</h1>
      <p className="lead mb-6">{t("guest.congratulations.passwordSet")}</p>
      <Link className="btn btn-primary px-6" to="/login">
        {t("guest.congratulations.loginNow")}
      </Link>
    </>
  );
}

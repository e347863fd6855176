import { useLocation, useNavigation } from "react-router";
import { t } from "#lib/messages/staff.ts";

/** Whether the page's list is being loaded again. */
export function useIsLoading(): boolean {
  const { pathname } = useLocation();
  const navigation = useNavigation();
  return navigation.state === "loading" && navigation.location.pathname === pathname;
}

/** Covers a list while it is loaded. */
export const Loading = () => (
  <p className="list-loading" role="status">
    {t("common.loading")}
  </p>
);

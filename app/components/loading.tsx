import { useLocation, useNavigation } from "react-router";

/** Whether what the page lists is being asked for again. */
export function useIsLoading(): boolean {
  const { pathname } = useLocation();
  const navigation = useNavigation();
  return navigation.state === "loading" && navigation.location.pathname === pathname;
}

/** Lies over a list while it is. */
export const Loading = () => (
  <p className="list-loading" role="status">
    Loading …
  </p>
);

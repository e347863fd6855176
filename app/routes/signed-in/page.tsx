import { Outlet } from "react-router";
import { PageProblem } from "../../components/problem.tsx";

/** Around every page: where one fails, its problem is shown and the navigation stays. */
export default function Page() {
  return <Outlet />;
}

export { PageProblem as ErrorBoundary };

import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useListAddress } from "../list/list-address.ts";

/** Leads from a record's page to another page, or to its list as it was left. */
export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link className="back" to={useListAddress(to)}>
    <ArrowLeft className="ico" />
    {children}
  </Link>
);

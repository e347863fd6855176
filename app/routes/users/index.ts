import { redirect } from "react-router";

export const loader = () => redirect("/users/list");

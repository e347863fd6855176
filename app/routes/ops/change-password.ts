import { redirect } from "react-router";

/** Where password managers lead users who change their password (W3C, “A Well-Known URL for Changing Passwords”). */
export const loader = () => redirect("/profile?dialog=password");

import { securityTxt } from "../../server/request/security-txt.ts";

/** RFC 9116. */
export const loader = securityTxt;

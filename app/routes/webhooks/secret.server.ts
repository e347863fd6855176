import { redirectDocument } from "react-router";

/**
 * For a redirect to the page that shows a secret once. Scripts would ask for the page's frame and its content at the same
 * time, of which the later reply brings back in its cookie what the other one has taken out.
 */
export const withSecret = (name: string, secret: string) => ({
  handed: { name, link: secret },
  redirectBy: redirectDocument,
});

import { getProvider } from "../../server/provider/context.ts";
import { getSession } from "../../server/sessions/session.ts";
import { signBrowserIn } from "../../server/sessions/sign-in.ts";
import { beginPath, forgetAttempt, readAttempt, requireSingleSignOn } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/single-sign-on-return";
import { NotSignedIn } from "./not-signed-in.tsx";
import { asNotSignedIn } from "./single-sign-on-failure.server.ts";

/** Where an identity provider sends the browser back to, with an answer that counts in the browser that began. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  requireSingleSignOn();
  const { address = "" } = params;
  const attempt = await readAttempt(request);
  const again = new URL(url);
  again.search = `${new URLSearchParams(attempt && { next: attempt.next })}`;
  try {
    const body = { address, attempt: attempt?.attempt ?? "none", answer: url.search };
    const opened = await getProvider(context).endSingleSignOn({ body });
    const response = signBrowserIn(context, attempt!.next, opened);
    const session = getSession(context);
    session.set("signOutOrigin", opened.sign_out_origin);
    if (address) session.set("signInAddress", address);
    response.headers.append("set-cookie", await forgetAttempt());
    return response;
  } catch (thrown) {
    return asNotSignedIn(thrown, beginPath(address, again));
  }
}

export default function SingleSignOnReturn({ loaderData }: Route.ComponentProps) {
  return <NotSignedIn {...loaderData} />;
}

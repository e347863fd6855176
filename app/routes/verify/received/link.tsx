import { data, redirect } from "react-router";
import { readForm } from "../../../server/forms/forms.ts";
import { providerWithToken } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { spokenIn } from "../../../server/request/language.ts";
import { holderCookie, inLanguage } from "../../../server/sessions/holder.ts";
import { headersOfCode } from "../headers.ts";
import { InLanguage, Said, useAddress, useWords } from "../said.tsx";
import { Sheet } from "../sheet.tsx";
import type { Route } from "./+types/link";

/** A link from a mail. Opening the page counts as nothing, as programs that check mail do that: a person presses the button. */

export const headers: Route.HeadersFunction = headersOfCode;

const tokenOf = (url: URL) => url.searchParams.get("token") ?? undefined;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const shown = { ...spokenIn(context, request), query: String(new URLSearchParams({ token: tokenOf(url) ?? "" })) };
  try {
    const { company } = await providerWithToken({ request, context }, tokenOf(url)).receivedLink();
    return data({ ...shown, company });
  } catch (thrown) {
    if (!asFailure(thrown, 401)) throw thrown;
    return data({ ...shown, company: "" }, { status: 401 });
  }
}

/** Goes on to an address without the link's secret. */
export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request);
  try {
    const { id, token } = await providerWithToken({ request, context }, tokenOf(url)).openReceivedLink();
    const headers = { "set-cookie": await holderCookie(token, String(id)) };
    return redirect(inLanguage(url, `/received/${id}`), { headers });
  } catch (thrown) {
    if (!asFailure(thrown, 401)) throw thrown;
    return redirect(url.pathname + url.search);
  }
}

export default function ReceivedLink({ loaderData: { company, query, ...spoken } }: Route.ComponentProps) {
  return (
    <InLanguage spoken={spoken}>
      {company ? <Sender company={company} query={query} /> : <DeadLink query={query} />}
    </InLanguage>
  );
}

function Sender({ company, query }: { company: string; query: string }) {
  const { t } = useWords();
  const title = t("received.link.title", { company });
  return (
    <Sheet title={title} kept={{ query }}>
      <div className="part">
        <h1>
          <Said text={title} />
        </h1>
        <p className="muted">{t("received.link.how")}</p>
        <form method="post" className="tell">
          <button type="submit" className="btn btn-primary">
            {t("received.link.open")}
          </button>
        </form>
      </div>
    </Sheet>
  );
}

function DeadLink({ query }: { query: string }) {
  const { t } = useWords();
  const to = useAddress();
  return (
    <Sheet title={t("received.link.dead.title")} kept={{ query }}>
      <div className="part">
        <h1>{t("received.link.dead.title")}</h1>
        <p className="muted">{t("received.link.dead.text")}</p>
        <p className="acts">
          <a className="btn" href={to("/received")}>
            {t("received.mine")}
          </a>
        </p>
      </div>
    </Sheet>
  );
}

import type { SubmissionResult } from "@conform-to/react";
import { redirect } from "react-router";
import { wordsOf } from "#lib/messages/words.ts";
import { openReceived, requestReceivedCode } from "#provider/contract/received.ts";
import { Field } from "../../../components/form/field.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { handleForm, readForm } from "../../../server/forms/forms.ts";
import { getProvider, providerWithToken } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { spokenIn } from "../../../server/request/language.ts";
import {
  codeRequest,
  codeRequestCookie,
  endedHolderCookie,
  holderCookie,
  hasHolder,
  holdersProvider,
  inLanguage,
} from "../../../server/sessions/holder.ts";
import { headersOfCode } from "../headers.ts";
import { sayRefusals } from "../refusals.server.ts";
import { InLanguage, Said, useAddress, useWords } from "../said.tsx";
import { Sheet } from "../sheet.tsx";
import type { Route } from "./+types/mine";
import { Received, type ReceivedProps } from "./received-list.tsx";

/** All documents in force that were sent to an address, for whoever reads its mail. */

export const headers: Route.HeadersFunction = headersOfCode;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const spoken = spokenIn(context, request);
  const sentTo = url.searchParams.has("code") ? (await codeRequest(request))?.email : undefined;
  if (sentTo || !(await hasHolder(request))) return { ...spoken, sentTo };
  try {
    return { ...spoken, received: await (await holdersProvider({ request, context })).listReceived() };
  } catch (thrown) {
    if (!asFailure(thrown, 401)) throw thrown;
    return spoken;
  }
}

const emailForm = requestReceivedCode.body.pick({ email: true });

/** Sends a code, opens a session by it, or ends it: the button says which. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { language } = spokenIn(context, request);
  const form = await readForm(request, emailForm, openReceived.body);
  const leave = (path: string, ...cookies: string[]) =>
    redirect(inLanguage(url, path), { headers: cookies.map((cookie) => ["set-cookie", cookie] as [string, string]) });
  if (form.get("intent") === "end") {
    await (await holdersProvider({ request, context })).closeReceived();
    return leave("/received", await endedHolderCookie());
  }
  const reply = await (form.get("intent") === "code"
    ? handleForm(form, {
        schema: openReceived.body,
        messageField: "code",
        async save(body) {
          const sentCode = await codeRequest(request);
          const { token } = await providerWithToken({ request, context }, sentCode?.token).openReceived({ body });
          return leave("/received", await holderCookie(token));
        },
      })
    : handleForm(form, {
        schema: emailForm,
        messageField: "email",
        async save({ email }) {
          const { token } = await getProvider(context).requestReceivedCode({ body: { email, language } });
          return leave("/received?code", await codeRequestCookie({ token, email }));
        },
      }));
  return reply instanceof Response ? reply : sayRefusals(reply, wordsOf(language));
}

export default function MyDocuments({ loaderData, actionData }: Route.ComponentProps) {
  const { received, sentTo, ...spoken }: Shown & typeof loaderData = loaderData;
  return (
    <InLanguage spoken={spoken}>
      {received ? (
        <Received {...received} />
      ) : sentTo ? (
        <EnterCode email={sentTo} reply={actionData} />
      ) : (
        <EnterEmail reply={actionData} />
      )}
    </InLanguage>
  );
}

type Shown = { received?: ReceivedProps; sentTo?: string | undefined };
type Replied = { reply: SubmissionResult | undefined };

function EnterEmail({ reply }: Replied) {
  const { t } = useWords();
  const { field, summary } = formState({ email: "" }, reply);
  return (
    <Sheet title={t("received.mine")} hasErrors={summary.length > 0}>
      <div className="part">
        <h1>{t("received.mine")}</h1>
        <p className="muted">{t("received.signIn")}</p>
        <form method="post" className="tell">
          <Field
            field={field("email")}
            label={t("received.email")}
            type="email"
            autoComplete="email"
            autoFocus={summary.length > 0}
            errorMark={t("frame.errorMark")}
            spellCheck={false}
            dir="ltr"
          />
          <button type="submit" className="btn btn-primary" name="intent" value="email">
            {t("received.sendCode")}
          </button>
        </form>
      </div>
    </Sheet>
  );
}

function EnterCode({ email, reply }: Replied & { email: string }) {
  const { t } = useWords();
  const to = useAddress();
  const { field, summary } = formState({ code: "" }, reply);
  return (
    <Sheet title={t("received.code.title")} hasErrors={summary.length > 0} kept={{ query: "code" }}>
      <div className="part">
        <h1>{t("received.code.title")}</h1>
        <p className="muted">
          <Said text={t("received.code.sent", { email })} />
        </p>
        <form method="post" className="tell">
          <Field
            field={field("code")}
            label={t("enter.code")}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus={summary.length > 0}
            errorMark={t("frame.errorMark")}
            maxLength={10}
            dir="ltr"
          />
          <button type="submit" className="btn btn-primary" name="intent" value="code">
            {t("received.code.show")}
          </button>
        </form>
        <p className="acts">
          <a className="btn" href={to("/received")}>
            {t("received.code.another")}
          </a>
        </p>
      </div>
    </Sheet>
  );
}

import { z } from "zod";
import { data, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { confirmSecondFactor } from "#provider/contract/second-factors.ts";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { qrPath } from "../../server/forms/qr-path.ts";
import { safeRedirectPath } from "../../server/request/safe-redirect.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { FactorState } from "./factor-state.tsx";
import { FactorSetup } from "./factor-setup.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import type { Route } from "./+types/second-factor";

/** Sets up, replaces and removes the user's second factor. Members of some access groups begin here. */

export const headers = actionHeaders;

const nextOf = (url: URL) => safeRedirectPath(url.searchParams.get("next"), "/profile");

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const { pending, ...factor } = await getProvider(context).getSecondFactor();
  return {
    factor,
    setup:
      pending && url.searchParams.has("setup") ? { secret: pending.secret, qr: qrPath(pending.address) } : undefined,
    isRemoving: url.searchParams.has("remove") && factor.set_up_at !== null,
    isLocked: user.must_set_up_second_factor === true,
    next: nextOf(url),
    search: url.search,
    timeZone: timeZoneOf(user),
  };
}

/** What a button's form sends beside its intent. */
const nothing = z.object({});

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request, confirmSecondFactor.body);
  const provider = getProvider(context);
  const intent = form.get("intent");
  // Shown in the reply itself, so that they are stored nowhere.
  let codes: string[] | undefined;
  const showCodes = (reply: { recovery_codes: string[] }) => {
    codes = reply.recovery_codes;
    return redirect("/profile/second-factor");
  };
  const handled =
    intent === "confirm"
      ? await handleForm(form, {
          schema: confirmSecondFactor.body,
          secrets: ["code"],
          save: async (body) => showCodes(await provider.confirmSecondFactor({ body })),
        })
      : await handleForm(form, {
          schema: nothing,
          async save() {
            if (intent === "codes") return showCodes(await provider.createRecoveryCodes());
            if (intent === "remove") {
              await provider.removeSecondFactor();
              return redirectWithNotice(context, "/profile", t("guest.secondFactor.removed"));
            }
            await provider.beginSecondFactor();
            const parameters = new URLSearchParams(url.search);
            parameters.set("setup", "");
            return redirect(`/profile/second-factor?${parameters}`);
          },
        });
  return codes ? data({ codes }) : handled;
}

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { factor, setup, isLocked, isRemoving, next, search, timeZone } = loaderData;
  if (actionData && "codes" in actionData) return <RecoveryCodes codes={actionData.codes} next={next} />;
  const { summary, field } = formState({}, actionData);
  return (
    <>
      <PageTitle title={t("common.secondFactor")} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      {setup ? (
        <FactorSetup {...setup} code={field("code")} action={search} isLocked={isLocked} />
      ) : (
        <FactorState {...factor} {...{ isLocked, isRemoving, search, timeZone }} />
      )}
    </>
  );
}

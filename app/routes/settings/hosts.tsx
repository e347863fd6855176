import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { CompanyHost } from "#provider/contract/hosts.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { Facts } from "../../components/record/facts.tsx";
import { HostChip } from "../../components/scan/host-chip.tsx";
import { showInstant } from "../../components/text/format.ts";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { notOffered } from "../../server/provider/failure.ts";
import { hasCompanyHosts } from "../../server/request/find-host.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/hosts";
import { changeHosts, hostForms } from "./hosts.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  if (!hasCompanyHosts()) throw notOffered(t("server.provider.lackingWords.hosts"));
  const hosts = await getProvider(context).listHosts();
  return { hosts, usual: url.host, timeZone: timeZoneOf(getUser(context)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const reply = changeHosts(context, await readForm(request, ...hostForms));
  if (!reply) throw unreadableForm();
  return reply;
}

/** The company's own hosts for its codes, with the DNS records that prove them. */
export default function Hosts({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { hosts, usual, timeZone } = loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const removed = open === "remove-host" ? hosts.find(({ id }) => String(id) === at) : undefined;
  return (
    <SettingPage
      title={t("common.ownHost")}
      lead={t("settings.hosts.lead", { usual })}
      hasErrors={Boolean(reply?.error)}
    >
      {hosts.map((host) => (
        <Host key={host.id} {...host} removal={openTo("remove-host", host.id)} timeZone={timeZone} />
      ))}
      <RequestForm key={hosts.length} usual={usual} reply={removed ? undefined : reply} />
      {removed && (
        <FormDialog
          title={t("common.removeName", { name: removed.host })}
          lead={<p>{t("settings.hosts.effectOfRemoving", { host: removed.host })}</p>}
          intent="remove-host"
          confirm={t("settings.hosts.remove")}
          isDanger
          reply={reply}
          closeTo={closeTo}
        >
          <input type="hidden" name="id" value={removed.id} />
        </FormDialog>
      )}
    </SettingPage>
  );
}

const problems = {
  "": undefined,
  absent: t("settings.hosts.absent"),
  unanswered: t("settings.hosts.unanswered"),
  taken: t("settings.hosts.taken"),
};

function Host({ removal, timeZone, ...host }: CompanyHost & { removal: string; timeZone: string }) {
  const { id, host: name, state, record_name, record_value, confirmed_at, checked_at, ends_at, problem } = host;
  const shown = (at: string | null) => (at ? showInstant(at, timeZone) : t("settings.hosts.notYet"));
  return (
    <section className="border-b border-base-300 px-5 py-4 max-md:px-4" aria-label={name}>
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="[overflow-wrap:anywhere]">{name}</h2>
        <HostChip state={state} />
        {host.is_used && <span>{t("settings.hosts.isUsed")}</span>}
      </div>
      {state === "ended" ? (
        <p className="mt-2 max-w-[44rem]">{t("settings.hosts.endedHow")}</p>
      ) : (
        <>
          <div className="[overflow-wrap:anywhere]">
            <Facts
              isNarrow
              facts={[
                [t("settings.hosts.recordName"), record_name],
                [t("settings.hosts.recordValue"), record_value],
                [t("settings.hosts.confirmed"), shown(state === "requested" ? null : confirmed_at)],
                [t("settings.hosts.checked"), shown(checked_at)],
                ...(ends_at ? [[t("settings.hosts.ends"), shown(ends_at)] as [string, string]] : []),
              ]}
            />
          </div>
          {problems[problem] && <p className="mt-2 max-w-[44rem]">{problems[problem]}</p>}
          <Form method="post" className="mt-3 flex flex-wrap items-center gap-3" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <button type="submit" className="btn btn-quiet" name="intent" value="check-host">
              {t("settings.hosts.check")}
            </button>
            <Link className="btn btn-plain !text-bad" to={removal} preventScrollReset>
              {t("settings.hosts.remove")}
            </Link>
          </Form>
        </>
      )}
    </section>
  );
}

function RequestForm({ usual, reply }: { usual: string; reply: SubmissionResult | undefined }) {
  const { field, summary } = formState({ host: "" }, reply);
  return (
    <Form method="post" data-unsaved={reply ? "" : undefined} noValidate>
      <div className="grid max-w-[44rem] gap-5 px-5 py-5 max-md:px-4">
        <ErrorSummary errors={summary} />
        <Field
          field={field("host")}
          label={t("settings.hosts.host")}
          hint={t("settings.hosts.hostHint", { usual })}
          spellCheck={false}
          isRequired
        />
      </div>
      <div className="panel-foot !py-4">
        <button type="submit" className="btn btn-primary" name="intent" value="request-host">
          {t("settings.hosts.request")}
        </button>
      </div>
    </Form>
  );
}

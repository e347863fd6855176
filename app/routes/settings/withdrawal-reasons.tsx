import type { SubmissionResult } from "@conform-to/react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { WithdrawalReason } from "#provider/contract/withdrawal-reasons.ts";
import { CloseLink, Dialog, DialogProblems, useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form, PageUserInput } from "../../components/form/form.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { readForm, unreadableForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/withdrawal-reasons";
import { SettingPage } from "../../components/frame/setting-page.tsx";
import { changeWithdrawalReasons, withdrawalReasonForms } from "./withdrawal-reasons.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const reasons = await getProvider(context).listWithdrawalReasons();
  return { reasons, mayEdit: may(getUser(context), "co_profile", "write") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const reply = changeWithdrawalReasons(context, await readForm(request, ...withdrawalReasonForms));
  if (!reply) throw unreadableForm();
  return reply;
}

/** The reasons for withdrawing documents, with the dialogs that change them. */
export default function WithdrawalReasons({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { reasons, mayEdit } = loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const reason = reasons.find(({ id }) => String(id) === at);
  const shared = { reply, closeTo };
  return (
    <SettingPage
      title={t("common.withdrawalReasons")}
      lead={t("settings.withdrawalReasons.lead")}
      hasErrors={Boolean(reply?.error)}
      act={
        mayEdit && (
          <Link className="btn btn-primary" to={openTo("add-reason")} preventScrollReset>
            {t("settings.withdrawalReasons.addReason")}
          </Link>
        )
      }
    >
      {reasons.length > 0 ? (
        <Table
          caption={t("common.withdrawalReasons")}
          rows={reasons}
          keyOf={({ id }) => id}
          columns={columnsOf(reasons, mayEdit ? openTo : undefined)}
        />
      ) : (
        <Empty message={t("settings.withdrawalReasons.none")} />
      )}
      {mayEdit && open === "add-reason" && <ReasonDialog {...shared} />}
      {mayEdit && open === "change-reason" && reason && <ReasonDialog {...shared} reason={reason} />}
      {mayEdit && open === "remove-reason" && reason && <RemoveDialog {...shared} reason={reason} />}
    </SettingPage>
  );
}

type SharedProps = { reply: SubmissionResult | undefined; closeTo: string };

function ReasonDialog({ reason, reply, closeTo }: SharedProps & { reason?: WithdrawalReason }) {
  const saved = { name: reason?.name ?? "", public_text: reason?.public_text ?? "" };
  const { field, summary } = formState(saved, reply);
  return (
    <Dialog
      title={
        reason
          ? t("settings.withdrawalReasons.changeName", { name: reason.name })
          : t("settings.withdrawalReasons.addAReason")
      }
      lead={<DialogProblems errors={summary.filter(({ fieldId }) => !Object.hasOwn(saved, fieldId ?? ""))} />}
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4 grid gap-4" noValidate>
        {reason && <input type="hidden" name="reason" value={reason.id} />}
        <Field
          field={field("name")}
          label={t("common.reason")}
          hint={t("settings.withdrawalReasons.reasonHint")}
          maxLength={100}
          isRequired
        />
        <Field
          field={field("public_text")}
          label={t("settings.withdrawalReasons.textForStrangers")}
          hint={t("settings.withdrawalReasons.textForStrangersHint")}
          maxLength={300}
        />
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button
            type="submit"
            className="btn btn-primary"
            name="intent"
            value={reason ? "change-reason" : "add-reason"}
          >
            {reason ? t("common.save") : t("settings.withdrawalReasons.addReason")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

const RemoveDialog = ({ reason, reply, closeTo }: SharedProps & { reason: WithdrawalReason }) => (
  <Dialog
    title={t("common.removeName", { name: reason.name })}
    lead={
      <>
        <DialogProblems errors={formState({}, reply).summary} />
        <p>{t("settings.withdrawalReasons.effectOfRemoving")}</p>
      </>
    }
    closeTo={closeTo}
  >
    <Form method="post" className="modal-foot">
      <input type="hidden" name="reason" value={reason.id} />
      <CloseLink to={closeTo} />
      <button type="submit" className="btn btn-error" name="intent" value="remove-reason">
        {t("settings.withdrawalReasons.removeReason")}
      </button>
    </Form>
  </Dialog>
);

type OpenTo = (dialog: string, at: number) => string;

const columnsOf = (reasons: WithdrawalReason[], openTo: OpenTo | undefined): Column<WithdrawalReason>[] => [
  { label: t("common.reason"), cell: ({ name }) => name },
  { label: t("settings.withdrawalReasons.textForStrangers"), cell: ({ public_text }) => public_text || "–" },
  ...(openTo
    ? [
        {
          label: t("common.action"),
          className: "act",
          cell: (reason: WithdrawalReason) => (
            <>
              <MoveButtons reason={reason} place={reasons.indexOf(reason) + 1} count={reasons.length} />
              <RowAction
                to={openTo("change-reason", reason.id)}
                verb={t("settings.withdrawalReasons.change")}
                name={reason.name}
              />
              <RowAction to={openTo("remove-reason", reason.id)} verb={t("common.remove")} name={reason.name} />
            </>
          ),
        },
      ]
    : []),
];

/** A form of its own without the router, as rows are rendered apart from it. */
function MoveButtons({
  reason: { id, name },
  place,
  count,
}: {
  reason: WithdrawalReason;
  place: number;
  count: number;
}) {
  const buttons = [
    {
      to: place - 1,
      verb: t("settings.withdrawalReasons.moveUp"),
      label: t("settings.withdrawalReasons.moveUpName", { name }),
    },
    {
      to: place + 1,
      verb: t("settings.withdrawalReasons.moveDown"),
      label: t("settings.withdrawalReasons.moveDownName", { name }),
    },
  ].filter(({ to }) => to >= 1 && to <= count);
  return (
    <form method="post" className="inline-flex max-md:gap-2">
      <PageUserInput />
      <input type="hidden" name="reason" value={id} />
      <input type="hidden" name="intent" value="move-reason" />
      {buttons.map(({ to, verb, label }) => (
        <button key={to} type="submit" className="row-act" name="place" value={to} aria-label={label}>
          {verb}
        </button>
      ))}
    </form>
  );
}

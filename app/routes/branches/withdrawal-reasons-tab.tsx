import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import type { WithdrawalReason } from "#provider/contract/withdrawal-reasons.ts";
import { CloseLink, Dialog, DialogProblems, useDialog } from "../../components/dialog.tsx";
import { Empty } from "../../components/empty.tsx";
import { Field } from "../../components/field.tsx";
import { formState } from "../../components/form-state.ts";
import { RowAction } from "../../components/row-action.tsx";
import { type Column, Table } from "../../components/table.tsx";

type ReasonsTabProps = { reasons: WithdrawalReason[]; mayEdit: boolean; reply: SubmissionResult | undefined };

/** The company profile's list of reasons for withdrawing documents, with the dialogs that change it. */
export default function WithdrawalReasonsTab({ reasons, mayEdit, reply }: ReasonsTabProps) {
  const { open, at, openTo, closeTo } = useDialog();
  const chosen = reasons.find(({ id }) => String(id) === at);
  const shared = { reply, closeTo };
  return (
    <>
      <p className="max-w-[44rem] px-5 pt-4 pb-3 max-md:px-4">
        Who withdraws a document chooses one of these. Strangers who scan it then read the text beside it. Documents
        that were withdrawn before keep their reason as it was.
      </p>
      {reasons.length > 0 ? (
        <Table
          caption="Withdrawal reasons"
          rows={reasons}
          keyOf={({ id }) => id}
          columns={columnsOf(reasons, mayEdit ? openTo : undefined)}
        />
      ) : (
        <Empty message="There are no reasons: documents are withdrawn without one." />
      )}
      {mayEdit && open === "add-reason" && <ReasonDialog {...shared} />}
      {mayEdit && open === "change-reason" && chosen && <ReasonDialog {...shared} reason={chosen} />}
      {mayEdit && open === "remove-reason" && chosen && <RemoveDialog {...shared} reason={chosen} />}
    </>
  );
}

type SharedProps = { reply: SubmissionResult | undefined; closeTo: string };

function ReasonDialog({ reason, reply, closeTo }: SharedProps & { reason?: WithdrawalReason }) {
  const saved = { name: reason?.name ?? "", public_text: reason?.public_text ?? "" };
  const { field, summary } = formState(saved, reply);
  return (
    <Dialog
      title={reason ? `Change ${reason.name}` : "Add a reason"}
      lead={<DialogProblems errors={summary.filter(({ fieldId }) => !Object.hasOwn(saved, fieldId ?? ""))} />}
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4 grid gap-4" noValidate>
        {reason && <input type="hidden" name="reason" value={reason.id} />}
        <Field field={field("name")} label="Reason" hint="For your colleagues" maxLength={100} isRequired />
        <Field
          field={field("public_text")}
          label="Text for strangers"
          hint="A sentence on the verification page; empty to say nothing"
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
            {reason ? "Save" : "Add reason"}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

const RemoveDialog = ({ reason, reply, closeTo }: SharedProps & { reason: WithdrawalReason }) => (
  <Dialog
    title={`Remove ${reason.name}?`}
    lead={
      <>
        <DialogProblems errors={formState({}, reply).summary} />
        <p>It can no longer be chosen. Documents that were withdrawn for it keep it.</p>
      </>
    }
    closeTo={closeTo}
  >
    <Form method="post" className="modal-foot">
      <input type="hidden" name="reason" value={reason.id} />
      <CloseLink to={closeTo} />
      <button type="submit" className="btn btn-error" name="intent" value="remove-reason">
        Remove reason
      </button>
    </Form>
  </Dialog>
);

type OpenTo = (dialog: string, at: number) => string;

const columnsOf = (reasons: WithdrawalReason[], openTo: OpenTo | undefined): Column<WithdrawalReason>[] => [
  { label: "Reason", cell: ({ name }) => name },
  { label: "Text for strangers", cell: ({ public_text }) => public_text || "–" },
  ...(openTo
    ? [
        {
          label: "Action",
          className: "act",
          cell: (reason: WithdrawalReason) => (
            <>
              <MoveButtons reason={reason} place={reasons.indexOf(reason) + 1} count={reasons.length} />
              <RowAction to={openTo("change-reason", reason.id)} verb="Change" name={reason.name} />
              <RowAction to={openTo("remove-reason", reason.id)} verb="Remove" name={reason.name} />
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
    { to: place - 1, verb: "up" },
    { to: place + 1, verb: "down" },
  ].filter(({ to }) => to >= 1 && to <= count);
  return (
    <form method="post" className="inline-flex max-md:gap-2">
      <input type="hidden" name="reason" value={id} />
      <input type="hidden" name="intent" value="move-reason" />
      {buttons.map(({ to, verb }) => (
        <button
          key={verb}
          type="submit"
          className="row-act"
          name="place"
          value={to}
          aria-label={`Move ${verb} ${name}`}
        >
          Move {verb}
        </button>
      ))}
    </form>
  );
}

import type { SubmissionResult } from "@conform-to/react";
import { Send } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Document } from "#provider/contract/documents.ts";
import { CloseLink, Dialog, DialogProblems, useDialog } from "../../../components/dialog/dialog.tsx";
import { Empty } from "../../../components/list/empty.tsx";
import { Field } from "../../../components/form/field.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { RowAction } from "../../../components/list/row-action.tsx";
import { type Column, Table } from "../../../components/list/table.tsx";
import type { Recipients } from "./recipients.server.ts";

type Row = Recipients["rows"][number];
type PanelProps = {
  document: Document;
  recipients: Recipients;
  mayChange: boolean;
  reply: SubmissionResult | undefined;
};

/** Whom a document was sent to, and what has become of that, with the dialogs that change it. */
export default function RecipientsPanel({ document, recipients, mayChange, reply }: PanelProps) {
  const { open, at, openTo, closeTo } = useDialog();
  const { rows, isSendable } = recipients;
  const recipient = rows.find(({ id }) => String(id) === at);
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="recipients">
      <div className="panel-head flex-wrap">
        <h2 id="recipients">{t("common.recipients")}</h2>
        {mayChange && isSendable && (
          <p className="print:hidden">
            <Link className="btn btn-quiet" to={openTo("send")} preventScrollReset>
              <Send className="ico" />
              {t("documents.recipientsPanel.send")}
            </Link>
          </p>
        )}
      </div>
      {rows.length > 0 ? (
        <Table
          caption={t("common.recipients")}
          rows={rows}
          columns={columnsOf(mayChange ? { openTo, isSendable } : undefined)}
          keyOf={({ id }) => id}
        />
      ) : (
        <Empty message={t("documents.recipientsPanel.none")} />
      )}
      {mayChange && open === "send" && <SendDialog {...{ document, recipients, reply, closeTo }} />}
      {mayChange && recipient && open === "remind-recipient" && (
        <RecipientDialog intent={open} {...{ recipient, reply, closeTo }} />
      )}
      {mayChange && recipient && open === "end-recipient" && (
        <RecipientDialog intent={open} {...{ recipient, reply, closeTo }} />
      )}
    </section>
  );
}

type Acts = { openTo(dialog: string, at: number): string; isSendable: boolean };

const columnsOf = (acts: Acts | undefined): Column<Row>[] => [
  {
    label: t("documents.recipientsPanel.recipient"),
    cell: ({ name, email }) => (
      <span className="block min-w-28">
        <bdi>{name}</bdi>
        <small className="block wrap-anywhere">{email}</small>
      </span>
    ),
  },
  { label: t("documents.recipientsPanel.sent"), cell: (row) => <SentState row={row} /> },
  { label: t("documents.recipientsPanel.opened"), cell: ({ opened_at }) => <At instant={opened_at} /> },
  { label: t("documents.recipientsPanel.downloaded"), cell: ({ downloaded_at }) => <At instant={downloaded_at} /> },
  ...(acts
    ? [{ label: t("common.actions"), className: "act", cell: (row: Row) => <RowActs row={row} {...acts} /> }]
    : []),
];

/** A day and a time, each on one line. */
const At = ({ instant }: { instant: string }) => (
  <>
    {(instant || "–").split(" ").map((part) => (
      <Fragment key={part}>
        <span className="whitespace-nowrap">{part}</span>{" "}
      </Fragment>
    ))}
  </>
);

function RowActs({ row: { id, name, ended_at }, openTo, isSendable }: { row: Row } & Acts) {
  return (
    <>
      {isSendable && (
        <RowAction to={openTo("remind-recipient", id)} verb={t("documents.recipientsPanel.remind")} name={name} />
      )}
      {!ended_at && (
        <RowAction to={openTo("end-recipient", id)} verb={t("documents.recipientsPanel.endLink")} name={name} />
      )}
    </>
  );
}

function SentState({ row: { sent_at, bounced_at, bounce, is_waiting, ended_at } }: { row: Row }) {
  if (ended_at) return t("documents.recipientsPanel.endedAt", { at: ended_at });
  const state = is_waiting
    ? bounce
      ? t("documents.recipientsPanel.deferred")
      : t("documents.recipientsPanel.waiting")
    : bounced_at
      ? t("documents.recipientsPanel.bouncedAt", { at: bounced_at })
      : sent_at && <At instant={sent_at} />;
  const reply = bounce || (bounced_at && t("documents.recipientsPanel.noReply"));
  return (
    <span>
      {bounced_at ? <b className="text-bad">{state}</b> : state}
      {reply && (
        <small className="block wrap-anywhere" translate="no">
          {reply}
        </small>
      )}
    </span>
  );
}

type SendDialogProps = Omit<PanelProps, "mayChange"> & { closeTo: string };

function SendDialog({ document, recipients: { languages }, reply, closeTo }: SendDialogProps) {
  const saved = { name: "", email: "", language: "en" };
  const { field, summary } = formState(saved, reply);
  return (
    <Dialog
      title={t("documents.recipientsPanel.sendTitle", { number: document.number })}
      lead={
        <>
          <DialogProblems errors={summary.filter(({ fieldId }) => !Object.hasOwn(saved, fieldId ?? ""))} />
          <p>{t("documents.recipientsPanel.effectOfSending")}</p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="mt-4 grid gap-4" noValidate>
        <Field field={field("name")} label={t("common.name")} maxLength={100} autoComplete="off" isRequired />
        <Field field={field("email")} label={t("common.email")} type="email" autoComplete="off" isRequired />
        <Field field={field("language")} label={t("documents.recipientsPanel.languageOfTheMail")} options={languages} />
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value="send">
            {t("documents.recipientsPanel.send")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

type RecipientDialogProps = {
  recipient: Row;
  intent: "remind-recipient" | "end-recipient";
  reply: SubmissionResult | undefined;
  closeTo: string;
};

function RecipientDialog({ recipient: { id, name }, intent, reply, closeTo }: RecipientDialogProps) {
  const isEnd = intent === "end-recipient";
  return (
    <Dialog
      title={
        isEnd ? t("documents.recipientsPanel.endTitle", { name }) : t("documents.recipientsPanel.remindTitle", { name })
      }
      lead={
        <>
          <DialogProblems errors={formState({}, reply).summary} />
          <p>
            {isEnd ? t("documents.recipientsPanel.effectOfEnding") : t("documents.recipientsPanel.effectOfReminding")}
          </p>
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="modal-foot">
        <input type="hidden" name="recipient" value={id} />
        <CloseLink to={closeTo} />
        <button type="submit" className={`btn ${isEnd ? "btn-error" : "btn-primary"}`} name="intent" value={intent}>
          {isEnd ? t("documents.recipientsPanel.endLink") : t("documents.recipientsPanel.remind")}
        </button>
      </Form>
    </Dialog>
  );
}

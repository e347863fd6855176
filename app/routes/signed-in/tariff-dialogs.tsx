import type { ReactNode } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import type { Tariff } from "#provider/contract/tariffs.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog/dialog.tsx";
import type { SummaryError } from "../../components/form/error-summary.tsx";
import { Form } from "../../components/form/form.tsx";
import { b } from "../../components/text/message-elements.tsx";
import { Table } from "../../components/list/table.tsx";
import { extraPage, minMonthly, pagesIncluded, perUser, usersRange } from "./tariff-terms.tsx";

type ChangeDialogProps = {
  chosen: Tariff;
  current: Tariff | undefined;
  errors: SummaryError[];
  closeTo: string;
};

/** Asks before the company changes its tariff, with the terms of both side by side. */
export function ChangeDialog({ chosen, current, errors, closeTo }: ChangeDialogProps) {
  const sides = current ? [current, chosen] : [chosen];
  return (
    <Dialog
      title={t("signed-in.tariffDialogs.changeTariff")}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>
            {current
              ? tRich("signed-in.tariffDialogs.moveFromTo", { current: current.name, chosen: chosen.name, b })
              : tRich("signed-in.tariffDialogs.moveTo", { chosen: chosen.name, b })}
          </p>
        </>
      }
      closeTo={closeTo}
    >
      <Table
        caption={t("signed-in.tariffDialogs.sideBySide")}
        className="data mini mt-4 border border-base-300"
        rows={terms}
        keyOf={({ label }) => label}
        columns={[
          { label: t("signed-in.tariffDialogs.tariff"), cell: ({ label }) => label },
          ...sides.map((side) => ({ label: side.name, className: "r", cell: ({ show }: Term) => show(side) })),
        ]}
      />
      <Form method="post" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary" name="tariff" value={chosen.id}>
          {t("signed-in.tariffDialogs.changeToName", { name: chosen.name })}
        </button>
      </Form>
    </Dialog>
  );
}

const terms = [
  { label: t("common.users"), show: usersRange },
  { label: t("signed-in.tariffDialogs.perUser"), show: perUser },
  { label: t("signed-in.tariffs.minMonthlyBill"), show: minMonthly },
  { label: t("common.pages"), show: pagesIncluded },
  { label: t("signed-in.tariffDialogs.extraPage"), show: extraPage },
];
type Term = (typeof terms)[number];

/** How to get a tariff whose terms are negotiated. */
export function ContactDialog({ tariff, address, closeTo }: { tariff: Tariff; address: string; closeTo: string }) {
  return (
    <Dialog title={t("signed-in.tariffs.contactUs")} closeTo={closeTo}>
      <p className="mt-2">
        {t("signed-in.tariffDialogs.agreedWithEach", { tariff: tariff.name, users: usersRange(tariff) })}{" "}
        {address ? (
          <ContactLink address={address} subject={tariff.name} />
        ) : (
          t("signed-in.tariffDialogs.askWhoSetUpSealdesk")
        )}
      </p>
      <div className="modal-foot">
        <CloseLink to={closeTo}>{t("common.close")}</CloseLink>
      </div>
    </Dialog>
  );
}

function ContactLink({ address, subject }: { address: string; subject: string }) {
  const isMail = /^mailto:/i.test(address);
  const linkTo = (to: string) => (words: ReactNode) => <a href={to}>{words}</a>;
  return isMail
    ? tRich("signed-in.tariffDialogs.writeTo", {
        address: address.slice("mailto:".length),
        link: linkTo(`${address}?subject=${encodeURIComponent(subject)}`),
      })
    : tRich("signed-in.tariffDialogs.writeAt", {
        address: address.replace(/^https:\/\//i, ""),
        link: linkTo(address),
      });
}

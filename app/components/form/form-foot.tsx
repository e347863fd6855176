import { Trash2 } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { DialogButton } from "../dialog/dialog-button.tsx";
import { useListAddress } from "../list/list-address.ts";

type FormFootProps = {
  submitLabel: string;
  intent?: string;
  cancelTo: string;
  /** On the button that opens the dialog which removes the record. */
  removal?: string | undefined;
};

/** The buttons at the end of a record's form. */
export const FormFoot = ({ submitLabel, intent = "save", cancelTo, removal }: FormFootProps) => (
  <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
    <button type="submit" className="btn btn-primary" name="intent" value={intent}>
      {submitLabel}
    </button>
    <Link className="btn btn-quiet" to={useListAddress(cancelTo)} data-discard>
      {t("common.cancel")}
    </Link>
    {removal && (
      <DialogButton dialog="remove" className="btn btn-plain !text-bad sm:ml-auto">
        <Trash2 className="ico" />
        {removal}
      </DialogButton>
    )}
  </div>
);

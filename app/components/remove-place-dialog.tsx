import { Form } from "react-router";
import { CloseLink, Dialog } from "./dialog.tsx";
import { CheckboxField } from "./checkbox-field.tsx";

/** A scan whose place can be removed; `at` as it is shown. */
export type RemovableScan = { id: number; number: string; at: string };

/** The dialog's name in addresses, and what its form sends as `intent`. */
export const removePlaceDialog = "remove-place";

/** Asks before the place of a scan is removed. */
export const RemovePlaceDialog = ({ scan, closeTo }: { scan: RemovableScan; closeTo: string }) => (
  <Dialog
    title="Remove place"
    lead={
      <p>
        The place that was given with the scan of <b>{scan.number}</b> on {scan.at} is erased. The scan stays.
      </p>
    }
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo}>
      <input type="hidden" name="scan" value={scan.id} />
      <CheckboxField
        className="mt-4"
        field={{ id: "network", name: "network" }}
        label="Also the other places from the same network on that day"
        hint="This document’s scans only: against a visitor who sent many false places"
      />
      <div className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-error" name="intent" value={removePlaceDialog}>
          Remove place
        </button>
      </div>
    </Form>
  </Dialog>
);

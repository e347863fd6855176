import { t, tRich } from "#lib/messages/staff.ts";
import { CheckboxField } from "../form/checkbox-field.tsx";
import { CloseLink, Dialog } from "../dialog/dialog.tsx";
import { Form } from "../form/form.tsx";
import { type RemovableScan, removePlaceDialog } from "./removable-scan.ts";

/** Confirms that a scan's place is to be removed. */
export default ({ scan, closeTo }: { scan: RemovableScan; closeTo: string }) => (
  <Dialog
    title={t("common.removePlace")}
    lead={
      <p>
        {tRich("components.map.removePlaceDialog.placeIsErased", {
          number: scan.number,
          at: scan.at,
          b: (words) => <b>{words}</b>,
        })}
      </p>
    }
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo}>
      <input type="hidden" name="scan" value={scan.id} />
      <CheckboxField
        className="mt-4"
        field={{ id: "network", name: "network" }}
        label={t("components.map.removePlaceDialog.alsoFromTheNetwork")}
        hint={t("components.map.removePlaceDialog.alsoFromTheNetworkHint")}
      />
      <div className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-error" name="intent" value={removePlaceDialog}>
          {t("common.removePlace")}
        </button>
      </div>
    </Form>
  </Dialog>
);

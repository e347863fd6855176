import { readFile, writeFile } from "node:fs/promises";
import { t } from "#lib/messages/staff.ts";
import { type FailureReason, PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { resources } from "./process/resources.ts";
import { failure } from "./provider/failure.ts";

export const requesterOf = ({ id, company }: CurrentUser, { signal }: Request): Requester => ({
  tenant: company ? `company ${company.id}` : `user ${id}`,
  priority: "staff",
  signal,
});

const reasons: Record<FailureReason, string> = {
  time: t("server.pageWork.takesTooLong"),
  memory: t("server.pageWork.takesTooMuchMemory"),
  unreadable: t("server.pageWork.unreadable"),
};

export function toPageFailure(error: unknown): unknown {
  if (error instanceof PageWorkFailed) return failure(422, { kind: "refused", message: reasons[error.reason] });
  if (!(error instanceof PageWorkBusy)) return error;
  return failure(503, { kind: "out-of-order", message: t("server.pageWork.busy"), retryAfter: error.retryAfter });
}

/**
 * A provider's picture re-encoded. Throws a failure: 502 if it is no picture, 503 if too much work waits. All of a provider's
 * pictures share one queue, as if it were a company.
 */
export async function asPng(picture: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { files, pageFiles } = resources();
  return withWorkFile(files, (path) =>
    withWorkFile(files, async (to) => {
      const isPicture = await pageFiles.work({ tenant: "provider", priority: "staff" }, async (jobs) => {
        await writeFile(path, picture);
        return jobs.asPng({ path, to });
      });
      if (!isPicture) throw failure(502, { kind: "unreachable", message: t("common.providerSentNoPicture") });
      return new Uint8Array(await readFile(to));
    }),
  ).catch((error: unknown) => {
    throw toPageFailure(error);
  });
}

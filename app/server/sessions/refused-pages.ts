import type { MiddlewareFunction } from "react-router";
import { recordAccess } from "../provider/audit-access.ts";

/** Adds refused pages to the audit trail. The provider adds refused forms itself. */
export const auditRefusedPages: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
  const response = await next();
  if (response.status !== 403 || request.method !== "GET") return response;
  const page = `/${pattern.replace(/^\//, "")}`;
  const subject = { entity: "request", id: 0, name: page } as const;
  await recordAccess(context, request, { action: "access refused", subject, within: `GET ${page}` });
  return response;
};

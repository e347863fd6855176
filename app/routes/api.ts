import type { Route } from "./+types/api";
import { noteRoute, noteUser, noteWait } from "../server/request/request-context.ts";
import { clientAddress } from "../server/request/client-address.ts";
import { resources } from "../server/process/resources.ts";

/**
 * The embedded provider for everybody else: the same calls, over HTTP with a bearer token, and SCIM for directories. Cookies
 * mean nothing here.
 */
async function answer({ request }: Route.LoaderArgs | Route.ActionArgs) {
  const { embedded } = resources();
  if (!embedded) return Response.json({ message: "Not found" }, { status: 404 });
  return embedded.fetch(request, {
    clientAddress: clientAddress(request),
    isApi: true,
    onRoute: noteRoute,
    onUser: noteUser,
    onWait: noteWait,
  });
}

export { answer as action, answer as loader };

/** The most script that a page shall bring before anything is done there, in kB gz (`docs/performance.md`). */
export const maxScripts = 140;

/** What no page exceeds today: a document’s is 2.1 kB over. */
export const reachedScripts = 143;

/** Signed-in pages whose scripts are measured. */
export const signedInPages = [
  "/dashboard",
  "/documents/list",
  "/documents/archive",
  "/documents/1",
  "/documents/1?dialog=archive",
  "/documents/edit/1",
  "/documents/new",
  "/documents/calendar",
  "/documents/labels?ids=1",
  "/views/new?list=documents",
  "/bulk-actions/new?list=documents&act=archive&id=1",
  "/branches/profile",
  "/branches/profile?edit",
  "/branches/list",
  "/branches/edit/1",
  "/branches/view/1",
  "/branches/view/1?dialog=add-user",
  "/users/list",
  "/alerts",
  "/alerts/12",
  "/map",
  "/users/new",
  "/users/view/1",
  "/audit",
  "/profile",
  "/profile?edit",
  "/tariffs",
  "/help",
  "/users/roles",
  "/users/group",
  "/logout",
  "/nowhere",
];

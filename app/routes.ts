import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";

/** Every URL, grouped by who may see it. */
export default [
  // Guests only.
  layout("routes/guest/layout.tsx", [
    route("login", "routes/guest/login.tsx"),
    route("login/sso", "routes/guest/single-sign-on.tsx"),
    route("login/sso/return/:address?", "routes/guest/single-sign-on-return.tsx"),
    route("login/at/:address", "routes/guest/company-sign-in.tsx"),
    route("forgot", "routes/guest/forgot.tsx"),
    route("congratulations", "routes/guest/congratulations.tsx"),
    route("login/second-factor", "routes/guest/second-step.tsx"),
    route("login/passkey", "routes/guest/passkey-sign-in.ts", { id: "passkey-sign-in" }),
    route("login/passkey/options", "routes/guest/passkey-options.ts", { id: "passkey-sign-in-options" }),
  ]),

  // Signed-in users, without the navigation: some of them may open no other page.
  layout("routes/guest/signed-in.tsx", [
    route("confirm", "routes/guest/confirm.tsx"),
    route("confirm/passkey", "routes/guest/passkey-sign-in.ts", { id: "passkey-proof" }),
    route("confirm/passkey/options", "routes/guest/passkey-options.ts", { id: "passkey-proof-options" }),
    route("profile/second-factor", "routes/guest/second-factor.tsx"),
    route("profile/passkeys", "routes/guest/passkeys.tsx"),
    route("profile/passkeys/options", "routes/guest/passkey-options.ts", { id: "passkey-options" }),
  ]),

  // Signed-in users; others are redirected to /login.
  layout("routes/signed-in/layout.tsx", [
    index("routes/signed-in/home.ts"),
    route("dashboard", "routes/signed-in/dashboard.tsx"),
    route("help", "routes/signed-in/help.tsx"),
    route("tariffs", "routes/signed-in/tariffs.tsx"),
    route("profile", "routes/signed-in/profile.tsx"),
    route("profile/api-keys", "routes/api-keys/list.tsx", { id: "api-keys" }),
    route("profile/api-keys/new", "routes/api-keys/new.tsx", { id: "api-keys-new" }),
    route("logout", "routes/signed-in/logout.tsx"),
    route("search", "routes/search/page.tsx"),
    route("search/key", "routes/search/key.ts"),

    ...prefix("branches", [
      index("routes/branches/index.ts"),
      route("profile", "routes/branches/profile.tsx"),
      route("list", "routes/branches/list.tsx"),
      route("list.csv", "routes/branches/list-csv.ts"),
      route("import", "routes/imports/new.tsx", { id: "branches-import-new" }),
      route("import/:id", "routes/imports/view.tsx", { id: "branches-import" }),
      route("import/:id/refused.csv", "routes/imports/refused-csv.ts", { id: "branches-import-refused" }),
      route("new", "routes/branches/form.tsx", { id: "branches-new" }),
      route("edit", "routes/signed-in/by-id.ts", { id: "branches-edit-by-id" }),
      route("edit/:id", "routes/branches/form.tsx", { id: "branches-edit" }),
      route("view", "routes/signed-in/by-id.ts", { id: "branches-view-by-id" }),
      route("view/:id", "routes/branches/view.tsx"),
    ]),

    ...prefix("users", [
      index("routes/users/index.ts"),
      route("list", "routes/users/list.tsx"),
      route("list.csv", "routes/users/list-csv.ts"),
      route("import", "routes/imports/new.tsx", { id: "users-import-new" }),
      route("import/:id", "routes/imports/view.tsx", { id: "users-import" }),
      route("import/:id/refused.csv", "routes/imports/refused-csv.ts", { id: "users-import-refused" }),
      route("new", "routes/users/form.tsx", { id: "users-new" }),
      route("edit", "routes/signed-in/by-id.ts", { id: "users-edit-by-id" }),
      route("edit/:id", "routes/users/form.tsx", { id: "users-edit" }),
      route("view", "routes/signed-in/by-id.ts", { id: "users-view-by-id" }),
      route("view/:id", "routes/users/view.tsx"),
      route("roles", "routes/users/roles.tsx"),
      route("group", "routes/users/group.tsx"),
    ]),

    ...prefix("documents", [
      index("routes/documents/index.ts"),
      route("list", "routes/documents/list/list.tsx"),
      route("list.csv", "routes/documents/list/list-csv.ts"),
      route("archive", "routes/documents/list/archive.tsx"),
      route("calendar", "routes/documents/calendar/calendar.tsx"),
      route("archive.csv", "routes/documents/list/archive-csv.ts"),
      route("edit", "routes/signed-in/by-id.ts", { id: "documents-edit-by-id" }),
      route("edit/:id", "routes/documents/edit/edit.tsx"),
      route("new", "routes/documents/wizard/type.tsx", { id: "wizard-start" }),
      route("new/:draft", "routes/documents/wizard/type.tsx", { id: "wizard-type" }),
      route("new/:draft/fields", "routes/documents/wizard/fields.tsx"),
      route("new/:draft/pages", "routes/documents/wizard/pages.tsx"),
      route("new/:draft/review", "routes/documents/wizard/review.tsx"),
      route("bulk", "routes/documents/bulk/list.tsx"),
      route("bulk/new", "routes/documents/bulk/what.tsx", { id: "bulk-new" }),
      route("bulk/:id", "routes/documents/bulk/index.ts"),
      route("bulk/:id/what", "routes/documents/bulk/what.tsx", { id: "bulk-what" }),
      route("bulk/:id/content", "routes/documents/bulk/content.tsx"),
      route("bulk/:id/check", "routes/documents/bulk/check.tsx"),
      route("bulk/:id/run", "routes/documents/bulk/run.tsx"),
      route("bulk/:id/labels", "routes/documents/bulk/labels.ts"),
      route("templates", "routes/documents/templates/list.tsx"),
      route("templates/new", "routes/documents/templates/form.tsx", { id: "templates-new" }),
      route("templates/:id", "routes/documents/templates/try.tsx"),
      route("templates/:id/edit", "routes/documents/templates/form.tsx", { id: "templates-edit" }),
      route(":id", "routes/documents/view/view.tsx"),
      route("labels", "routes/documents/labels/labels.tsx"),
      route("sealed-pdfs", "routes/documents/sealed-pdfs.tsx"),
      route(":id/labels", "routes/documents/labels/labels-by-id.ts"),
      route(":id/file-check", "routes/documents/file-check/file-check.tsx"),
    ]),

    ...prefix("webhooks", [
      index("routes/webhooks/list.tsx"),
      route("new", "routes/webhooks/form.tsx", { id: "webhooks-new" }),
      route(":id", "routes/webhooks/view.tsx", { id: "webhooks-view" }),
      route(":id/edit", "routes/webhooks/form.tsx", { id: "webhooks-edit" }),
      route(":id/deliveries/:n", "routes/webhooks/delivery.tsx"),
    ]),
    ...prefix("settings", [
      index("routes/settings/settings.tsx"),
      route("number-ranges", "routes/number-ranges/list.tsx"),
      route("number-ranges/new", "routes/number-ranges/form.tsx", { id: "number-ranges-new" }),
      route("number-ranges/:id", "routes/number-ranges/form.tsx", { id: "number-ranges-edit" }),
      route("seal-keys", "routes/settings/seal-keys.tsx"),
      route("single-sign-on", "routes/settings/single-sign-on.tsx"),
      route("withdrawal-reasons", "routes/settings/withdrawal-reasons.tsx"),
    ]),
    route("views/new", "routes/views/form.tsx", { id: "views-new" }),
    route("views/:id", "routes/views/form.tsx", { id: "views-edit" }),
    ...prefix("bulk-actions", [
      route("new", "routes/bulk-actions/new.tsx", { id: "bulk-actions-new" }),
      route(":id", "routes/bulk-actions/view.tsx", { id: "bulk-actions-view" }),
    ]),

    ...prefix("alerts", [
      index("routes/alerts/list.tsx"),
      route("figures", "routes/alerts/figures.tsx"),
      route("rules", "routes/alerts/rules.tsx"),
      route("rules/:rule", "routes/alerts/rule.tsx"),
      route(":id", "routes/alerts/view.tsx"),
    ]),
    route("alerts.csv", "routes/alerts/list-csv.ts"),
    route("map", "routes/map/page.tsx"),
    route("map.csv", "routes/map/list-csv.ts"),
    route("map/points", "routes/map/points.ts"),
    route("audit", "routes/audit/list.tsx"),
    route("audit.csv", "routes/audit/list-csv.ts"),
  ]),

  // Public: links from mails.
  layout("routes/guest/by-link.tsx", [
    route("signup", "routes/guest/signup.tsx"),
    route("confirm-email", "routes/guest/confirm-email.tsx"),
    route("sign-in-link", "routes/guest/sign-in-link.tsx"),
  ]),

  // Public: verification pages, at the URLs in QR codes.
  layout("routes/verify/layout.tsx", [
    layout("routes/verify/language.tsx", [
      layout("routes/verify/problem.tsx", [
        route("v", "routes/verify/enter-code.tsx"),
        route("v/:code", "routes/verify/page.tsx"),
        // Of a signed code.
        route("v/:code/:digits", "routes/verify/page.tsx", { id: "verify-signed" }),
        route("v/:code/file", "routes/verify/file.tsx"),
        route("v/:code/newer", "routes/verify/newer.tsx"),
        route("v/*", "routes/verify/missing.ts"),
      ]),
    ]),
    route("seals", "routes/verify/seals.tsx"),
    route("check", "routes/verify/offline.tsx"),
  ]),
  route("v/:code/pages/:n", "routes/files/open-page.ts"),
  route("v/:code/proof", "routes/files/log-proof.ts"),
  // Public: calendar programs with a user's secret.
  route("calendar/:secret", "routes/files/calendar-feed.ts"),

  // Public: not pages. The provider authorizes files by the session's token.
  route("theme", "routes/theme.ts"),
  ...prefix("files", [
    route("documents/:id/qrcode.png", "routes/files/qr-code.ts"),
    route("documents/:id/sealed.pdf", "routes/files/sealed-pdf.ts"),
    route("documents/:id/sealed.zip", "routes/files/sealed-pdfs.ts"),
    route("documents/:id/receipt.pdf", "routes/files/receipt.ts"),
    route("documents/:id/pages/:n", "routes/files/page-file.ts"),
    route("documents/:id/pages/:n/thumbnail", "routes/files/page-thumbnail.ts"),
    route("labels.pdf", "routes/files/labels.ts"),
    route("sealed-pdfs.zip", "routes/files/labels.ts", { id: "chosen-sealed-pdfs" }),
    route("bulk-issues/:id/result.csv", "routes/files/bulk-file.ts", { id: "bulk-result" }),
    route("bulk-issues/:id/refused.csv", "routes/files/bulk-file.ts", { id: "bulk-refused" }),
    route("bulk-issues/:id/sealed.zip", "routes/files/bulk-file.ts", { id: "bulk-sealed" }),
    route("bulk-issues/:id/rows/:line", "routes/files/bulk-preview.ts"),
    route("alerts/:id/evidence.pdf", "routes/files/alert-evidence.ts"),
    route("templates/:id/preview", "routes/files/template-preview.ts"),
    route("profile/image", "routes/files/image.ts", { id: "profile-image" }),
    route("company/image", "routes/files/image.ts", { id: "company-image" }),
    route("branches/:id/image", "routes/files/image.ts", { id: "branch-image" }),
    route("users/:id/image", "routes/files/image.ts", { id: "user-image" }),
    route("drafts/:draft/:upload/:n", "routes/files/draft-page.ts"),
  ]),
  // Operators.
  route("healthz", "routes/ops/healthz.ts"),
  route("readyz", "routes/ops/readyz.ts"),
  route("metrics", "routes/ops/metrics.ts"),
  route(".well-known/security.txt", "routes/ops/security-txt.ts"),
  // Public: what verifies seals without us.
  route("check/worker", "routes/check/worker.ts"),
  route("check/manifest", "routes/check/app-manifest.ts"),
  route(".well-known/jwks.json", "routes/seals/jwks.ts"),
  route(".well-known/status-lists", "routes/seals/status-lists.ts"),
  route(".well-known/status-lists/:list", "routes/seals/status-list.ts"),
  route(".well-known/revocation-lists/:list", "routes/seals/revocation-list.ts"),
  route(".well-known/sealdesk-root.pem", "routes/seals/root-pem.ts"),
  route("log", "routes/log/logs.ts"),
  route("log/:log/checkpoint", "routes/log/checkpoint.ts"),
  route("log/:log/tile/*", "routes/log/tile.ts"),

  // Public: where browsers and password managers look.
  route(".well-known/change-password", "routes/ops/change-password.ts"),

  route("api/*", "routes/api.ts"),
  route("scim/v2/*", "routes/api.ts", { id: "scim" }),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;

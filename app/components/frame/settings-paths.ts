/** The pages that Settings leads to, where no entry of the navigation is the current page. */
export const settingsPaths =
  /^\/(settings|tariffs|webhooks|audit|profile\/api-keys|alerts\/rules|documents\/templates|(branches|users)\/import)(\/|$)/;

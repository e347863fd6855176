/** After how long a page without scripts is loaded again while something goes on; `?still` stops that. */
export const refreshSeconds = (url: URL, goesOn: boolean, seconds = 5) =>
  goesOn && !url.searchParams.has("still") ? seconds : undefined;

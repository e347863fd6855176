/** Limits of comments on alerts. Without zod, which would make pages large. */

/** Comments on one alert. */
export const maxComments = 200;
/** Colleagues whom one comment mails. */
export const maxMentions = 10;

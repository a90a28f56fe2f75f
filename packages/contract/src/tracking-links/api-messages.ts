/** Messages of tracking links that only the server writes, in responses of the API. */
export const trackingLinkApiMessages = {
  linkCheckRate: (count: number) =>
    `At most ${count} checks of links a minute. Please try again in a moment.`,
} as const;

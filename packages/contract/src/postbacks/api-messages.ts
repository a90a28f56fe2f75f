/** Messages of postbacks that only the server writes, in responses of the API. */
export const postbackApiMessages = {
  postbacks: 'postbacks',
  postbackTestRate: (max: number) => `At most ${max} test installs a minute. Please try again in a moment.`,
  postbackUnreadable: 'The postback cannot be read.',
} as const;

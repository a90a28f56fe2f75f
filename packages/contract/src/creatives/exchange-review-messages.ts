/** Texts about the review of creatives by exchanges. */
export const exchangeReviewMessages = {
  failure: {
    timeout: 'It did not respond in time.',
    unreachable: 'It cannot be reached.',
    private: 'Its address is not in the public internet.',
  },
  refused: 'It refuses the credentials. An operator has to check them.',
  account: 'The operator has to check how creatives are submitted to this exchange.',
  status: (status: number) => `It responded with the status ${status}.`,
  unreadable: 'Its response cannot be read.',
  credentials: 'The credentials cannot be read. An operator has to enter them again.',
  video: 'Videos are registered there by hand, since it takes them only as the address of a VAST document.',
  noAddress: 'This server has no public address (PUBLIC_URL) at which an exchange could load the files.',
  secretRequired: 'Enter the secret',
  googleKey: 'The JSON key of a Google service account, with client_email and private_key',
  googlePrivateKey: 'Its private_key cannot be read. Enter the whole JSON key as Google created it',
  loginRequired: 'Enter the user name',
  notReviewed: 'This exchange does not review creatives',
  notConnected: 'The review of this exchange is not connected',
  inReview: 'It is approved or in review already',
} as const;

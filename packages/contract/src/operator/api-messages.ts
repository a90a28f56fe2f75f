/** Messages of the operator’s calls that only the server writes, in responses of the API. */
export const operatorApiMessages = {
  viewerCode:
    'This link was used, or it is older than a minute. Open the company again in the operator console.',
  operatorAttempts: 'Too many wrong operator tokens. Please wait a moment.',
  operatorToken: 'The operator token is wrong.',
  operatorLogInFirst: 'Log in as an operator first.',
  operatorRole: 'Your role does not allow this.',
  // The same text for all, since whether codes are paused or locked would reveal that a password is right.
  wrongOperatorLogin:
    'Login, password or code is wrong. After three wrong codes wait a moment, each time longer; after ten, ask an admin to reset your authenticator app.',
  wrongOperatorPasskey:
    'Login or password is wrong, or the passkey was not accepted: it may have been removed, or took too long.',
  reviewedChanged: 'It was changed or decided on meanwhile. Look at it again.',
  priceKeyRequired: {
    price_encryption_key: 'Encrypted prices need the encryption key of the exchange',
    price_integrity_key: 'Encrypted prices need the integrity key of the exchange',
  },
  countsAreGone: 'Counts are stored for seven days',
  lastAdmin: 'This is the last active admin. Make someone else an admin first.',
} as const;

/** Messages of the operator’s calls for users, some shared by server and console. */
export const operatorMessages = {
  erasureRevoked: 'This erasure was revoked before',
  erasureTooOld: 'An earlier release made this erasure, so that it cannot be revoked',
  networkInvalid: (text: string) =>
    `"${text}" is not an IP address or network, such as 198.51.100.7 or 198.51.100.0/24`,
  ownCodesLocked:
    'Your codes are locked after wrong ones. Ask another admin to reset your authenticator app.',
} as const;

/**
 * The purpose of a token. It is part of the signature, so that a token seen by a device cannot be used as a win notice.
 * The order is part of the token format: append new purposes at the end.
 */
export const PURPOSES = ['win', 'billing', 'loss', 'impression', 'click', 'click-id', 'video'] as const;
export type Purpose = (typeof PURPOSES)[number];

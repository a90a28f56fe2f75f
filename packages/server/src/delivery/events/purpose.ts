/**
 * What a token is good for. It is part of the signature: what a device sees cannot be turned into a win notice. The order
 * is part of every token's format: a new purpose goes to the end.
 */
export const PURPOSES = ['win', 'billing', 'loss', 'impression', 'click', 'click-id', 'video'] as const;
export type Purpose = (typeof PURPOSES)[number];

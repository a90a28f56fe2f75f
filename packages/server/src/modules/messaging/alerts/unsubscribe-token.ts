import { readSignedIds, signedIds } from '../../../platform/mail/signed-ids.ts';

/** Whose mails a link ends, and of which company. */
export interface Subscription {
  companyId: string;
  userId: string;
}

/** A token that ends the alerts of one person about one company by mail, and does nothing else. It does not expire. Pure. */
export function unsubscribeToken(secret: string, { companyId, userId }: Subscription): string {
  return signedIds(secret, 'alerts', [companyId, userId]);
}

/** What a token is for, if one of the secrets has signed it; null otherwise. Pure. */
export function readUnsubscribeToken(secrets: readonly string[], token: string): Subscription | null {
  const [companyId, userId] = readSignedIds(secrets, 'alerts', token) ?? [];
  return companyId !== undefined && userId !== undefined ? { companyId, userId } : null;
}

import { messages } from '@bidwell/contract/text/messages';
import { Forbidden } from '../../../platform/errors.ts';

/**
 * Throws Forbidden in a session that single sign-on began, for what reaches beyond its company: other companies of the person, and what
 * lets somebody log in to them. Whoever runs a company's provider could otherwise act for its people elsewhere.
 */
export function requireOwnLogin({ bySso }: { bySso?: boolean }): void {
  if (bySso) throw new Forbidden(messages.ssoPasswordNeeded);
}

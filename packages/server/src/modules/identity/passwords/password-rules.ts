import { messages } from '@bidwell/contract/text/messages';
import { Invalid } from '../../../platform/errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Throws Invalid for a common password, and for one equal to the user's login or e-mail address. */
export function assertNotGuessable(
  password: string,
  { login, email }: { login: string; email: string },
): void {
  const guess = password.toLowerCase();
  const invalid = (message: string) => new Invalid([{ field: 'password', message }]);
  if (COMMON_PASSWORDS.has(guess)) throw invalid(messages.passwordCommon);
  const own = [login, email, email.split('@')[0]!].map((text) => text.toLowerCase());
  if (own.includes(guess)) throw invalid(messages.passwordOwn);
}

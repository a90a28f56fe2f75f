import type { Credentials, FactorKind, Registration, SessionTokens } from '@bidwell/contract/accounts/schema';
import * as endpoints from '@bidwell/contract/accounts/endpoints';
import * as passkeyEndpoints from '@bidwell/contract/accounts/passkey-endpoints';
import { passSecondFactor as passSecondFactorEndpoint } from '@bidwell/contract/accounts/sign-in-endpoints';
import { api } from '../../lib/api/api-client.ts';
import { claimDrafts } from '../../lib/draft.ts';
import { answerByPasskey } from './sign-in/browser-passkeys.ts';
import { accessToken, openSession, userId } from '../../lib/api/session.ts';

/** Fetches the captcha that the server requires. */
export const readCaptcha = () => api.call(endpoints.readCaptcha);

/** Exchanges a solved captcha for permission for one login or registration. */
export const verifyCaptcha = (solution: string) =>
  api.call(endpoints.solveCaptcha, { body: { captcha: solution } });

/** Logs in; resolves to the accepted second factors, for {@link passSecondFactor} or {@link passPasskeyFactor}. */
export async function logIn(credentials: Credentials): Promise<FactorKind[] | null> {
  const result = await api.call(endpoints.logIn, { body: credentials });
  if ('next' in result) return result.factors;
  begin(result);
  return null;
}

/** Completes a login with a code of the authenticator app, or a recovery code. */
export async function passSecondFactor(code: string): Promise<void> {
  begin(await api.call(passSecondFactorEndpoint, { body: { code } }));
}

/** Completes a login by a passkey. */
export async function passPasskeyFactor(): Promise<void> {
  const credential = await answerByPasskey(await api.call(passkeyEndpoints.startPasskeyFactor));
  begin(await api.call(passkeyEndpoints.passPasskeyFactor, { body: { credential } }));
}

/** Logs in by a passkey alone. */
export async function logInByPasskey(): Promise<void> {
  const credential = await answerByPasskey(await api.call(passkeyEndpoints.startPasskeyLogin));
  begin(await api.call(passkeyEndpoints.logInByPasskey, { body: { credential } }));
}

function begin(tokens: SessionTokens): void {
  openSession(tokens);
  claimDrafts(userId()!);
}

/**
 * Registers a company and its first user. True when the new user is logged in, by the cookies of the response; false when
 * the account exists, but no session could be started. Throws ApiError.
 */
export async function register(person: Registration): Promise<boolean> {
  await api.call(endpoints.register, { body: person });
  const token = await accessToken().catch(() => null);
  if (token === null) return false;
  claimDrafts(userId()!);
  return true;
}

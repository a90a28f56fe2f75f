import type { Credentials, Registration } from '@bidwell/contract/account';
import * as endpoints from '@bidwell/contract/endpoints/accounts';
import { api } from './api-client.ts';
import { claimDrafts } from './draft.ts';
import { openSession, userId } from './session.ts';

/** Fetches the captcha that the server requires. */
export const askCaptcha = () => api.call(endpoints.readCaptcha);

/** Exchanges a solved captcha for permission for one login or registration. */
export const verifyCaptcha = (solution: string) =>
  api.call(endpoints.solveCaptcha, { body: { captcha: solution } });

export async function logIn(credentials: Credentials): Promise<void> {
  openSession(await api.call(endpoints.logIn, { body: credentials }));
  claimDrafts(userId()!);
}

export const register = (person: Registration) => api.call(endpoints.register, { body: person });

import type { CaptchaChallenge, Credentials, Registration } from '@bidwell/contract/account';
import { api } from './api-client.ts';
import { claimDrafts } from './draft.ts';
import { openSession, userId } from './session.ts';

/** Fetches the captcha that the server requires. */
export const askCaptcha = () => api.open<CaptchaChallenge>('GET', '/captcha');

/** Exchanges a solved captcha for permission for one login or registration. */
export const verifyCaptcha = (solution: string) => api.open('POST', '/captcha', { captcha: solution });

export async function logIn(credentials: Credentials): Promise<void> {
  openSession(await api.open('POST', '/login', credentials));
  claimDrafts(userId()!);
}

export const register = (person: Registration) => api.open('POST', '/registration', person);

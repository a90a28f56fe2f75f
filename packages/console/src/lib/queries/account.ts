import type { CaptchaChallenge, Credentials, Registration, User } from '@bidwell/contract/account';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { staleTimes } from '../query-client.ts';
import { accessToken, endSessionEverywhere, openSession, userId } from '../session.ts';
import { queryClient } from '../query-client.ts';

/** The logged-in user. */
export const accountQuery = queryOptions({
  queryKey: ['user'],
  queryFn: async () => {
    await accessToken();
    return api.get<User>(`/users/${userId()}`);
  },
  staleTime: staleTimes.hour,
});

export const captchaQuery = queryOptions({
  queryKey: ['captcha'],
  queryFn: () => api.open<CaptchaChallenge>('GET', '/captcha'),
  staleTime: staleTimes.never,
  gcTime: 0,
});

/** Exchanges a solved captcha for the right to one login or registration. */
export const verifyCaptcha = (solution: string) => api.open('POST', '/captcha', { captcha: solution });

export async function logIn(credentials: Credentials): Promise<void> {
  openSession(await api.open('POST', '/login', credentials));
}

export const register = (person: Registration) => api.open('POST', '/registration', person);

/** Ends the session everywhere, whatever the server answers. */
export async function logOut(): Promise<void> {
  await api.open('POST', '/logout').catch(() => {});
  queryClient.clear();
  endSessionEverywhere();
}

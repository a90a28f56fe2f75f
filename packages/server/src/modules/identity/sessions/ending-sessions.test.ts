import { ProfileInput } from '@bidwell/contract/accounts/schema';
import { decodeJwt } from 'jose';
import { afterAll, expect, test, vi } from 'vitest';
import { migratedDatabase } from '@bidwell/testing/engines/postgres-server';
import * as jobs from '../../../platform/jobs/repeat.ts';
import { testApp } from '@bidwell/testing/test-app';
import { updateProfile } from '../profile.ts';
import { type OpenedSession, logout, refresh } from '../service.ts';
import { login } from '../sign-in/login.ts';

vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

// Needs a PostgreSQL server: the embedded engine runs transactions one after the other.
const database = await migratedDatabase(process.env['DATABASE_URL']);
const app = await testApp(database ? { DATABASE_URL: database.url } : {});
const { ctx } = app;
afterAll(async () => {
  await app.close();
  await database?.remove();
});

const password = 'correct horse';

async function loggedIn() {
  const company = await app.freshCompany();
  const { session } = await login(ctx, { login: company.login, password }, '192.0.2.1');
  return { company, session: session! };
}

async function isLive(session: OpenedSession | null): Promise<boolean> {
  return (
    session !== null &&
    refresh(ctx, session.refreshToken).then(
      () => true,
      () => false,
    )
  );
}

const orNull = <T>(value: Promise<T>): Promise<T | null> => value.catch(() => null);

test.each([false, true])(
  'a concurrent renewal does not survive a logout (everywhere: %s)',
  async (everywhere) => {
    for (let round = 0; round < 8; round += 1) {
      const { session } = await loggedIn();
      const [renewed] = await Promise.all([
        orNull(refresh(ctx, session.refreshToken)),
        logout(ctx, session.refreshToken, { everywhere }),
      ]);
      expect(await isLive(renewed)).toBe(false);
    }
  },
);

test('a concurrent renewal does not survive a new password', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { company, session } = await loggedIn();
    const change = ProfileInput.parse({
      email: 'a@example.com',
      first_name: 'A',
      last_name: 'B',
      contact: 'c',
      password: 'battery staple',
      password_confirmation: 'battery staple',
    });
    const { session_id: sessionId } = decodeJwt<{ session_id: string }>(company.token);
    const elsewhere = { ...company, sessionId };
    // Renew continuously while the password is hashed and written.
    let last: OpenedSession | null = session;
    const changed = new AbortController();
    const { signal } = new AbortController();
    const countAddress = async () => {};
    const requested = {
      userId: company.userId,
      fields: change,
      avatar: 'keep',
      signal,
      countAddress,
    } as const;
    const changing = updateProfile(ctx, elsewhere, requested).finally(() => changed.abort());
    while (last && !changed.signal.aborted) last = await orNull(refresh(ctx, last.refreshToken));
    await changing;
    expect(await isLive(last)).toBe(false);
  }
});

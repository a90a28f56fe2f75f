import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { App } from '../start/app.ts';
import { logInOperator } from '../modules/identity/operators/login.ts';
import { addOperator } from '../modules/identity/operators/service.ts';
import { totpCode } from '../modules/identity/sign-in/totp.ts';
import { encryptionKeyId } from '../platform/encryption.ts';
import { TOKEN_HOLDER } from '../platform/operator.ts';
import { backUp, configOf, temporaryFolder, withServer } from '@bidwell/testing/backups';
import { installNewPostgres } from '@bidwell/testing/empty-engines';

const keyOf = (name: string) => `the ${name} key of at least 32 characters`;
const [OLD, NEW, OTHER] = [keyOf('old'), keyOf('new'), keyOf('other')];
const credentials = { login: 'operator.test', password: 'a long passphrase' };
const PRICE_KEYS = {
  price_encryption_key: 'skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=',
  price_integrity_key: 'arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=',
};
const STANDARD_BASE64 = Object.values(PRICE_KEYS).map((key) => key.replaceAll('-', '+').replaceAll('_', '/'));

const call = async ({ admin, ctx }: App, method: 'GET' | 'PUT', path: string, payload?: object) =>
  admin.inject({
    method,
    url: `/api/operator${path}`,
    headers: { authorization: `Bearer ${ctx.config.operatorToken}` },
    ...(payload && { payload }),
  });

/** All values of the two tables as text. */
async function storedText({ ctx }: App): Promise<string> {
  const { rows: operators } = await sql`select * from operators`.execute(ctx.db);
  const { rows: exchanges } = await sql`select * from ssps`.execute(ctx.db);
  return JSON.stringify([operators, exchanges]);
}

async function secretOfNewOperator(app: App): Promise<string> {
  await addOperator(app.ctx, TOKEN_HOLDER, { ...credentials, role: 'admin', name: 'Test Operator' });
  const { step } = await logInOperator(app.ctx, credentials, '127.0.0.1');
  if (step.next !== 'enrol') throw new Error('A new operator sets up an authenticator app.');
  await logInWith(app, step.secret);
  return step.secret;
}

/** Logs in with the code that an authenticator app shows; each code is accepted once. */
async function logInWith({ ctx }: App, secret: string): Promise<void> {
  await sql`update operators set totp_last_step = 0`.execute(ctx.db);
  const code = totpCode(secret, ctx.now().getTime());
  const { step } = await logInOperator(ctx, { ...credentials, code }, '127.0.0.1');
  expect(step.next).toBe('session');
}

/** The decompressed content of a backup's files. */
async function backupText(place: string): Promise<string> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const content = await readFile(join(parentPath, name));
      return (name.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1');
    }),
  );
  return texts.join('\n');
}

test('secrets are encrypted in the database and in backups, and encrypted again with a new key', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  await installNewPostgres(dataDir);
  const settings = (ENCRYPTION_KEYS: string, environment = {}) =>
    configOf(dataDir, { ENCRYPTION_KEYS, ...environment });
  let secret = '';

  await withServer(settings(OLD), async (app) => {
    secret = await secretOfNewOperator(app);
    const exchange = { name: 'Exchange', price_format: 'google-encrypted', ...PRICE_KEYS };
    expect((await call(app, 'PUT', '/ssps/exchange', exchange)).statusCode).toBe(200);
    const stored = await storedText(app);
    for (const plain of [secret, ...STANDARD_BASE64]) expect(stored).not.toContain(plain);
    await backUp(app.ctx.config, join(folder, 'backup'), app);
    // As an earlier release stored it.
    await sql`update operators set totp_secret = ${secret}`.execute(app.ctx.db);
  });
  const backup = await backupText(join(folder, 'backup'));
  expect(backup).toContain(credentials.login);
  for (const hidden of [secret, OLD, ...STANDARD_BASE64]) expect(backup).not.toContain(hidden);

  await withServer(settings(`${NEW},${OLD}`), async (app) => {
    await logInWith(app, secret);
    const stored = await storedText(app);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(encryptionKeyId(OLD));
    expect(stored.split(`enc:1:${encryptionKeyId(NEW)}:`)).toHaveLength(4);
  });

  await expect(withServer(settings(OTHER), async () => {})).rejects.toThrow(
    `The database has secrets that are encrypted with the key ${encryptionKeyId(NEW)}, which this server does not have: add it to ENCRYPTION_KEYS`,
  );

  const lost = { LOST_ENCRYPTION_KEYS: encryptionKeyId(NEW) };
  await withServer(settings(OTHER, lost), async (app) => {
    const { step } = await logInOperator(app.ctx, credentials, '127.0.0.1');
    expect(step.next).toBe('enrol');
    const { data } = (await call(app, 'GET', '/ssps')).json();
    const [ssp] = data.ssps;
    expect(ssp).toMatchObject({ slug: 'exchange', active: false, price_format: 'google-encrypted' });
    const saved = { name: 'Exchange', price_format: ssp.price_format, active: true };
    expect((await call(app, 'PUT', '/ssps/exchange', saved)).statusCode).toBe(422);
    expect((await call(app, 'PUT', '/ssps/exchange', { ...saved, ...PRICE_KEYS })).statusCode).toBe(200);
  });
});

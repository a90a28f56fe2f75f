import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { withSharedSecrets } from './shared-secrets.ts';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';

const database = await emptyDatabase(process.env['DATABASE_URL']);
afterAll(() => database?.remove());

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bidwell-secrets-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const NOBODY = 'postgres://postgres@127.0.0.1:1/postgres';
const configOf = (DATA_DIR: string, env: Record<string, string> = {}) =>
  readConfig({ DATA_DIR, DATABASE_URL: database!.url, ...env });
const secretsOf = ({ accessTokenSecret, signingSecret, operatorToken }: ReturnType<typeof configOf>) => [
  accessTokenSecret,
  signingSecret,
  operatorToken,
];

describe.skipIf(!database)('servers with all roles on one database', () => {
  test('two concurrent first starts have the same secrets, and keep them while the database is unavailable', async () => {
    const folders = [folder(), folder()];
    const own = folders.map((path) => configOf(path));
    expect(secretsOf(own[0]!)).not.toEqual(secretsOf(own[1]!));
    const [first, second] = await Promise.all(own.map((config) => withSharedSecrets(config)));
    expect(secretsOf(first!)).toEqual(secretsOf(second!));
    expect([first, second].map((config) => config!.previousSigningSecret)).toEqual([null, null]);
    for (const path of folders) {
      const later = await withSharedSecrets(configOf(path, { DATABASE_URL: NOBODY }));
      expect(secretsOf(later)).toEqual(secretsOf(first!));
    }
  });

  test('a server with its own secrets adopts the shared ones, and still reads values that it signed', async () => {
    const [one, old] = [folder(), folder()];
    const shared = await withSharedSecrets(configOf(one));
    const { signingSecret } = configOf(old);
    const adopted = await withSharedSecrets(configOf(old));
    expect(secretsOf(adopted)).toEqual(secretsOf(shared));
    for (const config of [adopted, configOf(old), await withSharedSecrets(configOf(old))])
      expect(config.previousSigningSecret).toBe(signingSecret);
  });

  test('secrets of the environment are used unchanged, and are never stored in the database', async () => {
    const own = { SIGNING_SECRET: 'given by the operator, at least 32 characters' };
    const shared = await withSharedSecrets(configOf(folder()));
    const mixed = await withSharedSecrets(configOf(folder(), own));
    expect(mixed.signingSecret).toBe(own.SIGNING_SECRET);
    expect(mixed.operatorToken).toBe(shared.operatorToken);
    expect((await withSharedSecrets(configOf(folder()))).signingSecret).toBe(shared.signingSecret);
  });

  test('a first start without the database does not continue with secrets that no other server has', async () => {
    const alone = withSharedSecrets(configOf(folder(), { DATABASE_URL: NOBODY }));
    await expect(alone).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

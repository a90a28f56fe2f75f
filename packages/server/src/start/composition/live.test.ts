import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { Nats } from '../../platform/nats/connection.ts';
import type { Databases } from './databases.ts';
import { createLifetime } from './lifetime.ts';
import { openContext } from './live.ts';

test('a live message of another process that arrives during the start is handled', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-live-'));
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off', DATA_DIR: folder });
  const lifetime = createLifetime(config, pino({ level: 'silent' }), () => new Date());
  onTestFinished(async () => {
    await lifetime.close();
    await rm(folder, { recursive: true });
  });
  const faults: unknown[] = [];
  const handled: string[] = [];
  const message = { kind: 'moved', companyIds: ['0195f2a0-0000-7000-8000-000000000001'] };
  // Receives a message as soon as it is subscribed to.
  const nats: Partial<Nats> = {
    subscribe(subject, listener) {
      queueMicrotask(() => {
        try {
          listener(Buffer.from(JSON.stringify(message)));
          handled.push(subject);
        } catch (error) {
          faults.push(error);
        }
      });
    },
    onUp: () => {},
    onDown: () => {},
    publish: () => true,
  };
  const databases = { events: { onCounted: () => {} } } as unknown as Databases;
  await openContext(lifetime, databases, { nats: nats as Nats, options: {} });
  expect(faults).toEqual([]);
  expect(handled).toEqual(['bidwell.live']);
});

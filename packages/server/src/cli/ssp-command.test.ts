import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test, vi } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { createClient } from './client.ts';
import { sspCommands } from './ssp-command.ts';

const app = await testApp({ PUBLIC_URL: '' });
let url = '';
beforeAll(async () => {
  await app.listen();
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});

async function printedBy(verb: 'add' | 'rotate', ...args: string[]): Promise<string> {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  await sspCommands[`ssp ${verb}`].run(
    createClient(url, app.ctx.config.operatorToken, { say: () => {} }),
    args,
  );
  return printed.join('\n');
}

const ADVICE =
  'PUBLIC_URL is not set: before this path belongs the address at which exchanges reach this server, such as https://ads.example.com.';

test('without PUBLIC_URL an exchange is printed with its path, and with the address to put before it', async () => {
  expect(await printedBy('add', 'alpha', '--secret', 'a-secret-of-sixteen')).toBe(
    `Saved. Its bid requests go to /openrtb/alpha/a-secret-of-sixteen\n${ADVICE}`,
  );
  expect(await printedBy('rotate', 'alpha', '--end-old', 'true')).toMatch(
    /^Its bid requests go to \/openrtb\/alpha\/[\w-]{32} from now on\.\nThe old address no longer works\.\nPUBLIC_URL is not set:/,
  );
});

/** The servers that benches run in their own process. */
import { readConfig } from '@bidwell/server/config/config';
import { register } from '@bidwell/server/modules/identity/service';
import { login } from '@bidwell/server/modules/identity/sign-in/login';
import { createApp } from '@bidwell/server/start/app';

/** Creates a server on a free port with these settings, which log errors only. */
export function benchApp(
  settings: Record<string, string | undefined>,
  options?: Parameters<typeof createApp>[1],
) {
  const common = { NODE_ENV: 'test', CAPTCHA: 'off', LOG_LEVEL: 'error', PORT: '0', HOST: '127.0.0.1' };
  return createApp(readConfig({ ...common, ...settings }), options);
}

/** Registers a company, and logs its first person in. */
export async function benchCompany({ ctx }: Awaited<ReturnType<typeof createApp>>, name: string) {
  const credentials = { login: name, password: 'correct horse' };
  const person = { email: 'bench@example.com', first_name: 'Ben', last_name: 'Ch', contact: 'none' };
  const { companyId } = await register(ctx, { ...credentials, ...person }, '127.0.0.1');
  const { session } = await login(ctx, credentials, '127.0.0.1');
  if (!session) throw new Error('a new account has no second factor');
  const { tokens } = session;
  return { companyId, token: tokens.access_token };
}

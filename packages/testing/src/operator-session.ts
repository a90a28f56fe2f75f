import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import type { Context } from '@bidwell/server/context';
import { logInOperator } from '@bidwell/server/modules/identity/operators/login';
import { addOperator } from '@bidwell/server/modules/identity/operators/service';
import { totpCode } from '@bidwell/server/modules/identity/sign-in/totp';
import { TOKEN_HOLDER } from '@bidwell/server/platform/operator';

const PASSWORD = 'a long passphrase';
const ADDRESS = '192.0.2.1';

/** Adds an operator, sets up an authenticator app and logs in. Resolves to the login and the headers of the session's calls. */
export async function freshOperator(
  ctx: Context,
  role: OperatorRole,
): Promise<{ login: string; headers: Record<string, string> }> {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '');
  const credentials = { login: `operator.${letters}`, password: PASSWORD };
  await addOperator(ctx, TOKEN_HOLDER, { ...credentials, role, name: 'Test Operator' });
  const { step } = await logInOperator(ctx, credentials, ADDRESS);
  if (step.next !== 'enrol') throw new Error('a new operator has an authenticator app');
  const code = totpCode(step.secret, ctx.now().getTime());
  const { session } = await logInOperator(ctx, { ...credentials, code }, ADDRESS);
  return { login: credentials.login, headers: { cookie: `bidwell_operator=${session!.token}` } };
}

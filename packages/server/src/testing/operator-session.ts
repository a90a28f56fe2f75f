import type { OperatorRole } from '@bidwell/contract/operator-account';
import type { Engines } from '../engines.ts';
import { addOperator, logInOperator } from '../modules/operator-accounts/service.ts';
import { totpCode } from '../modules/operator-accounts/totp.ts';
import { TOKEN_HOLDER } from '../platform/operator.ts';

/** Adds an operator, sets up an authenticator app and logs in. Resolves to the token of the session. */
export async function newOperatorSession(
  engines: Engines,
  { login, role, password }: { login: string; role: OperatorRole; password: string },
): Promise<string> {
  await addOperator(engines, TOKEN_HOLDER, { login, role, password, name: 'Test Operator' });
  const { step } = await logInOperator(engines, { login, password });
  if (step.next !== 'enrol') throw new Error('a new operator has an authenticator app');
  const code = totpCode(step.secret, engines.now().getTime());
  const { session } = await logInOperator(engines, { login, password, code });
  return session!.token;
}

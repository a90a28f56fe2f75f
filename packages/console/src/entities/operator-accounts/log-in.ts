import { logInOperator } from '@bidwell/contract/operator-accounts/endpoints';
import * as passkeyEndpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import type {
  OperatorAccount,
  OperatorLogin,
  OperatorLoginStep,
} from '@bidwell/contract/operator-accounts/schema';
import { callOperator } from '../../lib/api/operator-client.ts';
import { answerByPasskey } from '../accounts/sign-in/browser-passkeys.ts';

/** Makes one step of an operator's login, the last one with a code. */
export const logIn = (body: OperatorLogin): Promise<OperatorLoginStep> =>
  callOperator(logInOperator, { body });

/** Completes an operator's login by a passkey in place of the code. */
export async function logInWithPasskey(credentials: OperatorLogin): Promise<OperatorLoginStep> {
  const passkey = await answerByPasskey(await callOperator(passkeyEndpoints.startOperatorPasskeyFactor));
  return logIn({ ...credentials, passkey });
}

/** Logs an operator in by a passkey alone. */
export async function logInByPasskey(): Promise<OperatorAccount> {
  const credential = await answerByPasskey(await callOperator(passkeyEndpoints.startOperatorPasskeyLogin));
  return callOperator(passkeyEndpoints.logInOperatorByPasskey, { body: { credential } });
}

import * as endpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import { callOperator } from '../../lib/api/operator-client.ts';
import type { SessionCalls } from '../accounts/sign-in/sign-in-calls.ts';

/** The calls on the sessions and the recovery codes of the operator who is logged in. */
export const operatorCalls: SessionCalls = {
  of: 'operator',
  sessions: () => callOperator(endpoints.listOperatorSessions),
  endSession: (uuid) => callOperator(endpoints.endOperatorSession, { params: { uuid } }),
  endOtherSessions: () => callOperator(endpoints.endOtherOperatorSessions),
  confirm: async (body) => {
    if ('passkey' in body) throw new Error('Operators have no passkeys');
    return callOperator(endpoints.confirmOperator, { body });
  },
  secondFactors: () => callOperator(endpoints.readOperatorFactors),
  renewRecoveryCodes: () => callOperator(endpoints.renewOperatorRecoveryCodes),
};

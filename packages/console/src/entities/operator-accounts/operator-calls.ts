import * as passkeyEndpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import * as endpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import { callOperator } from '../../lib/api/operator-client.ts';
import type { SessionCalls } from '../accounts/sign-in/sign-in-calls.ts';

/** The calls on the sessions, the passkeys and the recovery codes of the operator who is logged in. */
export const operatorCalls: SessionCalls = {
  of: 'operator',
  sessions: () => callOperator(endpoints.listOperatorSessions),
  endSession: (uuid) => callOperator(endpoints.endOperatorSession, { params: { uuid } }),
  endOtherSessions: () => callOperator(endpoints.endOtherOperatorSessions),
  confirm: (body) => callOperator(endpoints.confirmOperator, { body }),
  secondFactors: () => callOperator(endpoints.readOperatorFactors),
  renewRecoveryCodes: () => callOperator(endpoints.renewOperatorRecoveryCodes),
  startPasskeyConfirmation: () => callOperator(passkeyEndpoints.startOperatorPasskeyConfirmation),
  passkeys: () => callOperator(passkeyEndpoints.listOperatorPasskeys),
  startPasskey: () => callOperator(passkeyEndpoints.startOperatorPasskey),
  // An operator's recovery codes are of the authenticator app, and made apart.
  addPasskey: async (body) => ({
    passkey: await callOperator(passkeyEndpoints.addOperatorPasskey, { body }),
    recovery_codes: [],
  }),
  renamePasskey: (uuid, name) =>
    callOperator(passkeyEndpoints.renameOperatorPasskey, { params: { uuid }, body: { name } }),
  removePasskey: (uuid) => callOperator(passkeyEndpoints.removeOperatorPasskey, { params: { uuid } }),
};

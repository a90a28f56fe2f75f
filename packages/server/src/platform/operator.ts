import { type OperatorPermission, roleHas } from '@bidwell/contract/operator-accounts/permissions';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { Forbidden } from './errors.ts';

/** Who makes a call of the operator's API. */
export interface Operator {
  /** Null for the holder of OPERATOR_TOKEN. */
  uuid: string | null;
  /** As in the audit log. */
  login: string;
  role: OperatorRole;
  /** The session of the call; none for the token, jobs and the command line. */
  sessionUuid?: string;
}

/** The holder of OPERATOR_TOKEN: scripts and the command line. */
export const TOKEN_HOLDER: Operator = { uuid: null, login: 'token', role: 'admin' };

/** The server itself: its jobs and the corrections that it makes. */
export const SERVER: Operator = { uuid: null, login: 'server', role: 'admin' };

/**
 * The first statement of every function that does something for an operator, so that each has the check, regardless of its
 * caller. Throws Forbidden.
 */
export function requireOperatorPermission({ role }: Operator, permission: OperatorPermission): void {
  if (!roleHas(role, permission)) throw new Forbidden(operatorApiMessages.operatorRole);
}

import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';

/** Who makes a call of the operator's API. */
export interface Operator {
  /** Null for the holder of OPERATOR_TOKEN. */
  uuid: string | null;
  /** As in the log of operators' acts. */
  login: string;
  role: OperatorRole;
}

/** The holder of OPERATOR_TOKEN: scripts and the command line. */
export const TOKEN_HOLDER: Operator = { uuid: null, login: 'token', role: 'admin' };

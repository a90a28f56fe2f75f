import type { OperatorAccount } from '@bidwell/contract/operator-accounts/schema';
import type { OperatorRow } from './store.ts';

/** An operator as the API shows them. */
export function presentedOperator(row: OperatorRow, { locked }: { locked: boolean }): OperatorAccount {
  const { uuid, login, name, role, active, totp_enrolled: enrolled } = row;
  return {
    uuid,
    login,
    name,
    role,
    active,
    enrolled,
    locked,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

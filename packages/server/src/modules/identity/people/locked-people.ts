import type { CompanyRole, Permission } from '@bidwell/contract/accounts/permission';
import { messages } from '@bidwell/contract/text/messages';
import { Forbidden } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { type MemberRow, listMembers, lockCompany } from './membership-store.ts';

/** The people of a company, of which nobody else changes any until the transaction ends. */
export interface LockedPeople {
  members: MemberRow[];
  companyName: string;
  /** The actor's own role, as it is now. */
  ownRole: CompanyRole;
}

/**
 * Locks the people of the actor's company. Throws Forbidden if the actor's role was taken away since the call began, or does not
 * have the permission any more.
 */
export async function lockPeople(tx: Tx, actor: Session, permission: Permission): Promise<LockedPeople> {
  const companyName = await lockCompany(tx.db, actor.companyId);
  const members = await listMembers(tx.db, actor.companyId);
  const ownRole = members.find(({ uuid }) => uuid === actor.userId)?.role;
  if (companyName === undefined || ownRole === undefined) throw new Forbidden(messages.roleForbids);
  requirePermission({ ...actor, companyRole: ownRole }, permission);
  return { members, companyName, ownRole };
}

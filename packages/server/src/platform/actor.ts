import type { CompanyRole } from '@bidwell/contract/accounts/permission';

/** The company whose data is read. */
export interface Owner {
  companyId: string;
}

/** Who made a change, as the change log names them. */
export interface Author extends Owner {
  /** Null where it was no user of the company. */
  userId: string | null;
  /** Id of the page that made the call, where it sent one; it skips live updates of its own changes. */
  tab?: string | undefined;
}

/**
 * In what capacity a call is made: by a person of the company; by an operator who views its console, which changes nothing and
 * shows no secrets; by a program with an API token; or by the server and by operators' calls, which checked their own permission.
 */
export type Role = 'person' | 'viewer' | 'api-token' | 'system';

/** On whose behalf a call runs; `requirePermission` says what they may do. */
export interface Actor extends Author {
  role: Role;
  /** Of a person: the role in the company. Without one a person may do nothing. */
  companyRole?: CompanyRole;
  /** True where the company is suspended: it reads, and makes hardly any changes. */
  suspended?: boolean;
}

/** The server itself, or an operator, as the actor of a call on a company. */
export function systemActor(companyId: string): Actor {
  return { companyId, userId: null, role: 'system' };
}

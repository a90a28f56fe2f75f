import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { ApiScope } from '@bidwell/contract/accounts/scope';
import type { UndoneEntry } from '@bidwell/contract/changes/schema';

/** The company whose data is read. */
export interface Owner {
  companyId: string;
}

/** Who made a change, as the change log names them. */
export interface Author extends Owner {
  /** Null where it was no user of the company. */
  userId: string | null;
  /** Name of the API key with which the user's program made it. */
  apiKey?: string;
  /** Id of the page that made the call, if it sent one; the page skips live updates of its own changes. */
  tab?: string | undefined;
  /** How the change log names the author, where more than one person made the change. */
  name?: string;
  /** The change that it takes back, where an undo makes it. */
  undoes?: UndoneEntry;
}

/**
 * The kind of caller: a person of the company; an operator who views its console, which changes nothing and
 * shows no secrets; a program with an API key of a person; or the server and operators' calls, which checked their own permission.
 */
export type Role = 'person' | 'viewer' | 'api-token' | 'system';

/** On whose behalf a call runs; `requirePermission` says what they may do. */
export interface Actor extends Author {
  role: Role;
  /** The role in the company of the person, or of the creator of the API key. Without a role they may do nothing. */
  companyRole?: CompanyRole;
  /** The scopes of an API key. */
  scopes?: readonly ApiScope[];
  /** True where the company is suspended: it reads, and makes hardly any changes. */
  suspended?: boolean;
  /** True where the company requires a second factor that the person does not have yet. */
  unenrolled?: boolean;
  /** True where single sign-on of the company began the session: its provider does not vouch for the person elsewhere. */
  bySso?: boolean;
}

/** The person whose own messages a caller sees in addition to the company's: people see theirs, programs and viewers none. */
export const readerOf = ({ role, userId }: Actor): string | null => (role === 'person' ? userId : null);

/** The server itself, or an operator, as the actor of a call on a company. */
export function systemActor(companyId: string): Actor {
  return { companyId, userId: null, role: 'system' };
}

import { OPERATOR_ROLES, type OperatorRole } from './schema.ts';

const EVERYBODY = OPERATOR_ROLES;

/**
 * The permissions of operators, and the roles that have each. The one table of them: an endpoint names the permission that its
 * call needs, the server looks it up before the route and in the operation itself, and the console shows what it allows.
 */
const ROLES_BY_PERMISSION = {
  /** The operator's own account and session. */
  'session.own': EVERYBODY,
  /** Companies, their transactions and statements. */
  'company.read': EVERYBODY,
  /** Suspends companies and replaces passwords of their people. */
  'company.write': ['admin'],
  /** Changes the terms of a company: credit limit, margin, time zone, storage, notes. */
  'company.terms': ['admin', 'finance'],
  /** Opens a company's console, read only. */
  'company.view': ['admin', 'moderator'],
  /** Revenue, top-ups, payment instructions and checks of the ledger. */
  'money.read': EVERYBODY,
  /** Moves money and says how companies pay. */
  'money.write': ['admin', 'finance'],
  'moderation.read': EVERYBODY,
  'moderation.decide': ['admin', 'moderator'],
  /** Exchanges without their secrets, their traffic, and currency rates. */
  'exchange.read': EVERYBODY,
  'exchange.write': ['admin'],
  /** The secrets of exchanges and companies. */
  'secret.read': ['admin'],
  /** The state of the server, and whether all bidding is stopped. */
  'server.read': EVERYBODY,
  /** Stops the bidding of all companies. */
  'bidding.write': ['admin'],
  'audit.read': EVERYBODY,
  /** Erases the stored data of a device. */
  'device.erase': ['admin'],
  'operator.read': ['admin'],
  'operator.write': ['admin'],
  'backup.read': ['admin'],
  /** Name, logo, colours and links of the installation. */
  'brand.read': EVERYBODY,
  'brand.write': ['admin'],
} as const satisfies Record<string, readonly OperatorRole[]>;

/** The permissions of operators. */
export type OperatorPermission = keyof typeof ROLES_BY_PERMISSION;

/** Whether the operators of a role have a permission. */
export function roleHas(role: OperatorRole, permission: OperatorPermission): boolean {
  const roles: readonly OperatorRole[] = ROLES_BY_PERMISSION[permission];
  return roles.includes(role);
}

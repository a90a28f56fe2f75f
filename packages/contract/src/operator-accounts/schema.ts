import { z } from 'zod';
import { ungroupedCode } from '../accounts/typed-code.ts';
import { PasskeyAssertion } from '../accounts/passkey.ts';
import { Login, Registration } from '../accounts/schema.ts';
import { Timestamp, Uuid, requiredName, requiredText } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/**
 * Roles of operators. All see companies, money, exchanges without their secrets, and the server's health; `moderator` also
 * decides on ads, `finance` moves money, `admin` does everything. See permissions.ts.
 */
export const OPERATOR_ROLES = ['admin', 'moderator', 'finance', 'viewer'] as const;
export const OperatorRole = z.enum(OPERATOR_ROLES);
export type OperatorRole = z.infer<typeof OperatorRole>;

/** A person who operates the server. */
export const OperatorAccount = z.object({
  uuid: Uuid,
  login: z.string(),
  name: z.string(),
  role: OperatorRole,
  /** False for an account that may not log in any more. */
  active: z.boolean(),
  /** Whether the account has been set up with an authenticator app. */
  enrolled: z.boolean(),
  /** Whether no code is accepted after ten wrong ones in a row, until another admin resets the authenticator app. */
  locked: z.boolean(),
  last_login_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type OperatorAccount = z.infer<typeof OperatorAccount>;

export const operatorAccountVersion = entityVersion(OperatorAccount, ['locked', 'last_login_at']);

const password = Registration.shape.password;

export const NewOperator = z.object({ login: Login, name: requiredName(100), role: OperatorRole, password });
export type NewOperator = z.infer<typeof NewOperator>;

/** Changes of an account; absent fields stay. */
export const OperatorChanges = z.strictObject({
  name: requiredName(100).optional(),
  role: OperatorRole.optional(),
  active: z.boolean().optional(),
  password: password.optional(),
  /** The account is set up with an authenticator app again at the next login, and its passkeys end. */
  reset_authenticator: z.literal(true).optional(),
});
export type OperatorChanges = z.infer<typeof OperatorChanges>;

/**
 * A login. The code of the authenticator app is requested whether or not login and password are right; a recovery code stands in
 * for it, and so does a passkey, which is read where there is no code.
 */
export const OperatorLogin = z.object({
  login: requiredText(200),
  password: z.string().min(1).max(200),
  code: z
    .string()
    .max(200, 'Six digits, or a recovery code')
    .overwrite(ungroupedCode)
    .regex(/^(?:\d{6}|[a-z\d]{25})$/i, 'Six digits, or a recovery code')
    .optional(),
  passkey: PasskeyAssertion.optional(),
});
export type OperatorLogin = z.infer<typeof OperatorLogin>;

/**
 * Result of a login: a session, a request for the code, or, for the right password of an account without an authenticator
 * app, the secret to add to one; the login is then repeated with its code.
 */
export const OperatorLoginStep = z.discriminatedUnion('next', [
  z.object({ next: z.literal('session'), operator: OperatorAccount }),
  z.object({ next: z.literal('code') }),
  /** `uri` is for a QR code (otpauth:), `secret` for typing. */
  z.object({ next: z.literal('enrol'), secret: z.string(), uri: z.string() }),
]);
export type OperatorLoginStep = z.infer<typeof OperatorLoginStep>;

/** An entry of the audit log of operators: an action of one of them. */
export const AuditEntry = z.object({
  uuid: Uuid,
  /** The login; `token` for calls with OPERATOR_TOKEN, `server` for corrections that the server makes by itself. */
  operator: z.string(),
  /** The action in a few words: `Credited`, `Suspended`. */
  action: z.string(),
  /** Kind and name of the changed entity. */
  entity: z.string(),
  name: z.string(),
  entity_uuid: z.string().nullable(),
  company_uuid: Uuid.nullable(),
  reason: z.string(),
  /** Fields before and after; null before creation. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  created_at: Timestamp,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

import { z } from 'zod';
import { CompanyRole, Email, Registration } from './schema.ts';
import { accountMessages } from './messages.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

/** Most people of a company, and companies of a person. */
export const PEOPLE_MAX = 200;
export const COMPANIES_MAX = 50;

/** Most open invitations of a company, and new ones in an hour. */
export const INVITATIONS_MAX = 50;
export const INVITATIONS_PER_HOUR = 20;

/** Days in which an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** A person of a company. */
export const Person = z.object({
  uuid: Uuid,
  login: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: CompanyRole,
  /** When they joined the company. */
  since: Timestamp,
});
export type Person = z.infer<typeof Person>;

export const personVersion = entityVersion(Person);

/** An open invitation: not accepted, and still valid. */
export const Invitation = z.object({
  uuid: Uuid,
  email: z.string(),
  role: CompanyRole,
  /** The name of the person who invited. */
  invited_by: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const InvitationInput = z.object({ email: Email, role: CompanyRole });
export type InvitationInput = z.infer<typeof InvitationInput>;

export const NewInvitation = Invitation.extend({
  /** The address to open, with the secret, which is shown only here. */
  link: z.string(),
  /**
   * Whether a mail with the link is queued: it is sent within seconds, and lost if the server stops before, which its log says with the
   * invitation's id. False where the server sends no mail, or sends none to this address at present. Then, and where no mail arrives, hand the
   * link over.
   */
  is_mailed: z.boolean(),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** The secret of an invitation's link. */
export const InvitationToken = z.object({
  token: z
    .string(accountMessages.invitationLink)
    .min(1, accountMessages.invitationLink)
    .max(200, accountMessages.invitationLink),
});
export type InvitationToken = z.infer<typeof InvitationToken>;

/** What the holder of an invitation link sees before accepting. */
export const OfferedInvitation = Invitation.pick({ email: true, role: true, expires_at: true }).extend({
  company_name: z.string(),
  /** Whether a person without an account joins by signing in at the company's provider instead of with a password. */
  needs_single_sign_on: z.boolean(),
});
export type OfferedInvitation = z.infer<typeof OfferedInvitation>;

/** Accepts an invitation as a new person, with the mail address of the invitation. */
export const InvitedRegistration = Registration.omit({ email: true, company_name: true }).extend(
  InvitationToken.shape,
);
export type InvitedRegistration = z.infer<typeof InvitedRegistration>;

export const RoleInput = z.object({ role: CompanyRole });

/** A company of the caller. */
export const OwnCompany = z.object({
  uuid: Uuid,
  name: z.string(),
  role: CompanyRole,
  /** Whether the session acts for it. */
  is_current: z.boolean(),
  is_suspended: z.boolean(),
});
export type OwnCompany = z.infer<typeof OwnCompany>;

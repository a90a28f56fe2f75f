import { z } from 'zod';
import { COMPANY_ROLES } from './permission.ts';
import { isTimeZone } from '../lib/calendar.ts';
import { asciiAddress } from './domain.ts';
import { limits } from '../lib/limits.ts';
import { accountMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { isVisibleName } from '../lib/visible-name.ts';
import { Timestamp, Uuid, requiredName, requiredText } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

const part = `[a-z]{1,${limits.loginPartMax}}`;
const loginPattern = new RegExp(`^${part}(\\.${part})*$`);

/** A login: lower-case latin parts of 1-30 letters with single dots between, at least 5 characters. */
export const Login = z
  .string(accountMessages.loginInvalid)
  .trim()
  .min(limits.loginMin, accountMessages.loginInvalid)
  .max(200, accountMessages.loginInvalid)
  .regex(loginPattern, accountMessages.loginAlphabet);

/** Zod's own pattern, with top-level domains of other scripts. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

/** An address without the spaces and invisible characters that come along when it is pasted. */
function withoutSurroundings(text: string): string {
  const isAround = (at: number) => /^[\s\p{Cf}]$/u.test(text[at]!);
  let [start, end] = [0, text.length];
  while (start < end && isAround(start)) start += 1;
  while (end > start && isAround(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** A mail address. Its domain is in ASCII, so that an address is one text however it is typed. */
export const Email = z
  .string(messages.emailInvalid)
  .overwrite((text) => asciiAddress(withoutSurroundings(text)))
  .check(z.email({ pattern: ADDRESS, error: messages.emailInvalid }))
  .max(limits.emailMax, messages.emailInvalid);

/** POST /registration */
export const Registration = z.object({
  login: Login,
  email: Email,
  password: z
    .string(accountMessages.passwordTooShort)
    .min(limits.passwordMin, accountMessages.passwordTooShort)
    .max(limits.passwordMax, `At most ${limits.passwordMax} characters`),
  first_name: requiredName(limits.personNameMax),
  last_name: z
    .string()
    .trim()
    .max(limits.personNameMax)
    .refine(isVisibleName, messages.nameHidden)
    .nullish()
    .transform((v) => v ?? ''),
  contact: requiredText(limits.contactMax),
  /** The name of the person where it is absent or empty. */
  company_name: z
    .string()
    .trim()
    .max(limits.companyNameMax, `At most ${limits.companyNameMax} characters`)
    .refine(isVisibleName, messages.nameHidden)
    .nullish(),
});
export type Registration = z.infer<typeof Registration>;

/** POST /login. The form of a login is not validated here: an invalid one simply does not exist. */
export const Credentials = z.object({
  login: requiredText(200),
  // Not trimmed: a space may be part of a password.
  password: z
    .string()
    .min(1, messages.required)
    .max(limits.passwordMax, `At most ${limits.passwordMax} characters`),
});
export type Credentials = z.infer<typeof Credentials>;

/** POST /email-confirmation: the token of the link that was sent to a mail address. */
export const AddressConfirmation = z.object({ token: requiredText(200) });

/** POST /password-reset: requests a link by mail. */
export const PasswordResetRequest = z.object({ login: requiredText(200) });
export type PasswordResetRequest = z.infer<typeof PasswordResetRequest>;

/** POST /password-reset/confirm: the token of the link, and the new password. */
export const NewPassword = z.object({
  token: z
    .string(accountMessages.resetLink)
    .min(1, accountMessages.resetLink)
    .max(200, accountMessages.resetLink),
  password: z
    .string(accountMessages.passwordTooShort)
    .min(limits.passwordMin, accountMessages.passwordTooShort)
    .max(limits.passwordMax, `At most ${limits.passwordMax} characters`),
});
export type NewPassword = z.infer<typeof NewPassword>;

/** POST /logout: ends this session, or all sessions of the user. The body is optional. */
export const LogoutInput = z.object({ everywhere: z.boolean().optional() }).nullish();

/** Response of login and refresh; the refresh token itself is sent in an HttpOnly cookie. */
export const SessionTokens = z.object({
  access_token: z.string(),
  expires_in: z.number().int(),
  user_id: Uuid,
});
export type SessionTokens = z.infer<typeof SessionTokens>;

/** A second factor of a person; a recovery code replaces either. */
export const FactorKind = z.enum(['code', 'passkey']);
export type FactorKind = z.infer<typeof FactorKind>;

/** Response of a login whose password was right: a session, or one of the second factors of the account is awaited. */
export const LoginResult = z.union([
  SessionTokens,
  z.object({ next: z.literal('second_factor'), factors: z.array(FactorKind) }),
]);
export type LoginResult = z.infer<typeof LoginResult>;

/** Name of the cookie, readable by scripts, that marks that a session may exist; it holds no secret. */
export const SESSION_HINT_COOKIE = 'bidwell_session';

/**
 * Name of the cookie that a page sets at logout, to `1` or `everywhere`: the server ends the session or all sessions at the
 * next call that it receives, and deletes the cookie.
 */
export const LOGGED_OUT_COOKIE = 'bidwell_logged_out';

/**
 * Name of the cookie that a page sets while it refreshes the session. The response deletes it together with setting the new
 * refresh token, so that a page that finds it knows that the present token is spent and the next one under way.
 */
export const REFRESHING_COOKIE = 'bidwell_refreshing';

/** Prefix of cookie names where the server is reached over https (RFC 6265bis, 4.1.3.2). */
export const HOST_PREFIX = '__Host-';

export const Company = z.object({
  uuid: Uuid,
  name: z.string(),
  time_zone: z.string(),
  /** Whether its people need a second factor before anything else works. */
  second_factor_required: z.boolean(),
});
export type Company = z.infer<typeof Company>;

export const companyVersion = entityVersion(Company);

export const CompanyRole = z.enum(COMPANY_ROLES);

export const User = z.object({
  uuid: Uuid,
  login: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  contact: z.string(),
  /** URL of the picture, or null. */
  avatar: z.string().nullable(),
  /** The company that the session acts for, and the person's role there. */
  company: Company,
  role: CompanyRole,
  /** Whether the company requires a second factor that the person lacks: until there is one, hardly any call works. */
  needs_second_factor: z.boolean(),
  /** Whether the company's single sign-on began the session: then it changes neither password nor second factor. */
  signed_in_by_sso: z.boolean(),
  /** Whether the server sends mail and the address is not confirmed: nothing but the link for that is sent there. */
  needs_email_confirmation: z.boolean(),
  /** How new and changed apps, creatives and texts are reviewed: `manual` by an operator, `auto` approves at once. */
  moderation: z.enum(['manual', 'auto']),
  created_at: Timestamp,
});
export type User = z.infer<typeof User>;

export const userVersion = entityVersion(User, [
  'company',
  'role',
  'needs_second_factor',
  'signed_in_by_sso',
  'needs_email_confirmation',
  'moderation',
]);

/** PUT /company/{uid}: the company's name, the time zone (IANA) of its days, and whether its people need a second factor; absent fields stay as they are. */
export const CompanyInput = z.object({
  name: requiredName(limits.companyNameMax).optional(),
  time_zone: z.string().max(64).refine(isTimeZone, accountMessages.timeZone).optional(),
  second_factor_required: z.boolean().optional(),
});
export type CompanyInput = z.infer<typeof CompanyInput>;

/** PUT /users/{user_id}: the text fields of the multipart form, which may also hold the avatar as a file. */
export const ProfileInput = z
  .object({
    email: Email,
    first_name: requiredName(limits.personNameMax),
    last_name: requiredName(limits.personNameMax),
    contact: requiredText(limits.contactMax),
    password: z
      .string()
      .max(limits.passwordMax, `At most ${limits.passwordMax} characters`)
      .refine((v) => v === '' || v.length >= limits.passwordMin, accountMessages.profilePasswordTooShort)
      .nullish()
      .transform((v) => v ?? ''),
    password_confirmation: z
      .string()
      .max(limits.passwordMax)
      .nullish()
      .transform((v) => v ?? ''),
    /** Required with a new password once the session is ten minutes old. */
    current_password: z
      .string()
      .max(limits.passwordMax)
      .nullish()
      .transform((v) => v ?? ''),
    /** With a new password: whether to revoke the user's API tokens too. Forms send `true` or `false`. */
    revoke_api_tokens: z
      .union([z.boolean(), z.enum(['true', 'false', ''])])
      .nullish()
      .transform((v) => v === true || v === 'true'),
  })
  .superRefine((profile, context) => {
    if (profile.password === '' || profile.password === profile.password_confirmation) return;
    const message =
      profile.password_confirmation === ''
        ? accountMessages.passwordConfirm
        : accountMessages.passwordMismatch;
    context.addIssue({ code: 'custom', path: ['password_confirmation'], message });
  });
export type ProfileInput = z.infer<typeof ProfileInput>;

/** GET /captcha */
export const CaptchaChallenge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('altcha'), challenge: z.looseObject({}) }),
  z.object({ kind: z.literal('recaptcha'), site_key: z.string() }),
  z.object({ kind: z.literal('off') }),
]);
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;

/** POST /captcha: the solved challenge, in the widget's Base64 form. */
export const CaptchaSolution = z.object({
  captcha: z.string(accountMessages.captcha).min(1, accountMessages.captcha).max(8192),
});

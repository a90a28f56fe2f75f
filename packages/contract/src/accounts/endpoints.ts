import { z } from 'zod';
import {
  AddressConfirmation,
  CaptchaChallenge,
  CaptchaSolution,
  Company,
  CompanyInput,
  Credentials,
  LoginResult,
  LogoutInput,
  NewPassword,
  PasswordResetRequest,
  ProfileInput,
  Registration,
  SessionTokens,
  User,
  userVersion,
  companyVersion,
} from './schema.ts';
import { conflict, endpoint, limited, unauthorized } from '../lib/endpoint.ts';
import { Uuid, envelope } from '../lib/wire.ts';

export const readCaptcha = endpoint('GET /captcha', {
  summary: 'A challenge to solve before login or registration',
  isPublic: true,
  response: { 200: envelope(CaptchaChallenge), ...limited },
});

export const solveCaptcha = endpoint('POST /captcha', {
  summary: 'Verify a solved captcha',
  isPublic: true,
  body: CaptchaSolution,
  response: { 200: envelope(z.object({ verified: z.literal(true) })), ...limited },
});

export const register = endpoint('POST /registration', {
  summary: 'Register a company and its first user, whose session begins',
  isPublic: true,
  body: Registration,
  response: { 201: envelope(z.object({ user_id: Uuid, company_id: Uuid })), ...conflict, ...limited },
});

export const logIn = endpoint('POST /login', {
  summary: 'Log in; a person with a second factor is asked for it',
  isPublic: true,
  body: Credentials,
  response: { 200: envelope(LoginResult), ...limited },
});

export const refreshSession = endpoint('POST /refresh-token', {
  summary: 'Renew the access token',
  isPublic: true,
  response: { 200: envelope(SessionTokens), ...unauthorized },
});

/** Anyone with the link may call this, any number of times. */
export const confirmAddress = endpoint('POST /email-confirmation', {
  summary: 'Confirm a mail address by the link that was sent there',
  isPublic: true,
  body: AddressConfirmation,
  response: { 200: envelope(z.object({ email: z.string() })), ...limited },
});

/** The link goes to the address of the profile, five times a day at most, and not to one that is confirmed. */
export const requestAddressConfirmation = endpoint('POST /account/email-confirmation', {
  companyPermission: 'user.write',
  summary: 'Send the link that confirms the own mail address again',
  response: { 200: envelope(z.object({ is_sent: z.boolean() })), ...limited },
});

export const readPasswordReset = endpoint('GET /password-reset', {
  summary: 'Read whether new passwords can be requested by e-mail',
  isPublic: true,
  response: { 200: envelope(z.object({ is_offered: z.boolean() })), ...limited },
});

/** The response is the same whether or not the login exists. */
export const requestPasswordReset = endpoint('POST /password-reset', {
  summary: 'Request a link for a new password by e-mail',
  isPublic: true,
  body: PasswordResetRequest,
  response: { 200: envelope(z.object({ is_accepted: z.literal(true) })), ...limited },
});

export const resetPassword = endpoint('POST /password-reset/confirm', {
  summary: 'Set a new password by a link, and end all sessions',
  isPublic: true,
  body: NewPassword,
  response: { 200: envelope(z.object({ is_changed: z.literal(true) })), ...limited },
});

export const logOut = endpoint('POST /logout', {
  summary: 'Log out',
  isPublic: true,
  body: LogoutInput,
  response: { 200: envelope(z.object({ logged_out: z.literal(true) })) },
});

const UserParams = z.object({ user_id: Uuid });

export const readUser = endpoint('GET /users/:user_id', {
  companyPermission: 'user.read',
  summary: 'Read the caller, or a colleague, which needs `people.read` besides',
  params: UserParams,
  version: userVersion,
  response: { 200: envelope(User) },
});

/** Takes JSON, or a form with an avatar. An avatar that is null, or empty in a form, is removed. */
export const updateUser = endpoint('PUT /users/:user_id', {
  companyPermission: 'user.write',
  summary: 'Update the profile',
  params: UserParams,
  body: ProfileInput.safeExtend({ avatar: z.null().optional() }),
  form: ProfileInput.safeExtend({ avatar: z.file().nullish() }),
  version: userVersion,
  response: { 200: envelope(User), ...limited },
});

export const updateCompany = endpoint('PUT /company/:uid', {
  companyPermission: 'company.write',
  summary: 'Change the name and the time zone of the company, and whether its people need a second factor',
  params: z.object({ uid: Uuid }),
  body: CompanyInput,
  version: companyVersion,
  response: { 200: envelope(Company) },
});

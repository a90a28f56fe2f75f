import { limits } from '../lib/limits.ts';

/** Messages of people, sign-in and API keys that only the server writes, in responses of the API. */
export const accountApiMessages = {
  lastOwner: 'A company needs an owner. Make someone else an owner first.',
  inCompanyAlready: 'This person belongs to the company already',
  youAreInCompany: 'You belong to this company already.',
  peopleMax: (max: number) => `A company has at most ${max} people, invited ones included.`,
  companiesMax: (max: number) => `A person belongs to at most ${max} companies.`,
  invitationsMax: (max: number) => `A company has at most ${max} open invitations: revoke some first.`,
  invitationRate: (max: number) =>
    `A company makes at most ${max} invitations an hour. Please try again later.`,
  ssoDomainKnown: 'Your company has listed this domain already',
  ssoDomainsMax: (max: number) => `A company lists at most ${max} mail domains.`,
  ssoDomainTaken: 'Another company has proven this domain. Ask the operator if it is yours.',
  ssoRecordMissing: 'The DNS TXT record was not found. New records may take an hour to be seen.',
  apiTokenReports: 'An API token reads reports and nothing else.',
  apiTokenRate: (max: number, what: string) =>
    `An API token may ask for ${max} ${what} a minute. Please wait a moment.`,
  apiTokenLimit: (max: number) => `A company has at most ${max} API keys: revoke one that is not used.`,
  keyUnknown:
    'This API key is not known: it was revoked or not copied whole. Send it as “Authorization: Bearer bidwell_…”.',
  keyExpired: 'This API key has expired. Make a new one on the profile.',
  keyForPeopleOnly: 'No API key may do this: sign-in, people and keys are managed in the console.',
  keyScope: (scopes: readonly string[]) =>
    `This API key lacks the scope that this call needs: ${scopes.join(' or ')}. Make a key that has it on the profile.`,
  keyRole: 'The role of the person who made this API key does not allow this.',
  keyRate: (max: number) => `This API key may make ${max} calls a minute. Please wait a moment.`,
  captchaUnavailable: 'The captcha cannot be checked right now. Please try again in a moment.',
  attempts: 'Too many attempts. Please wait a moment.',
  attemptsFor: (seconds: number) =>
    `Too many attempts. Please try again in ${seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`}.`,
  loginTaken: 'This login is taken',
  wrongCode:
    'This code is wrong or was used. After three wrong codes wait a moment, each time longer; after ten, ask the operator of this platform to reset your second factor.',
  loginStepOver: 'This login took too long. Enter your login and password again.',
  authenticatorThere: 'You have an authenticator app already: remove it first.',
  noAuthenticatorStarted: 'Start with a new secret for the authenticator app.',
  passkeyRefused:
    'This passkey was not accepted: it may have been removed, or took too long. Try again, or sign in in another way.',
  passkeyThere: 'This passkey is added already.',
  passkeysFull: `You have ${limits.passkeysMax} passkeys: remove one first.`,
  noPasskey: 'You have no passkey.',
  noSecondFactor: 'You have no second factor.',
  factorRequired: 'A company of yours requires a second factor, so that it cannot be removed.',
  noAuthenticator: 'You have no authenticator app.',
  wrongLogin: 'wrong login or password',
  noCompany: 'You no longer belong to a company. Ask an owner of a company to invite you.',
  oneTimePasswordUsed:
    'This one-time password was used already or has expired. Please ask the operator of this platform for a new one.',
} as const;

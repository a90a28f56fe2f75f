import { asciiDomain } from './domain.ts';
import { z } from 'zod';
import { COMPANY_ROLES } from './permission.ts';
import { CompanyRole, Email, SessionTokens } from './schema.ts';
import { accountMessages } from './messages.ts';
import { Timestamp, Uuid, requiredText } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** Most mail domains that a company lists, proven or not. */
export const SSO_DOMAINS_MAX = 20;

/** Minutes that a person has to sign in at the provider. */
export const SSO_SIGN_IN_MINUTES = 10;

/** Hours after which a session that single sign-on began ends, so that who may not sign in any more is out within a day. */
export const SSO_SESSION_HOURS = 12;

/** Prefix of the DNS TXT record by which a company proves a mail domain. */
const TXT_PREFIX = 'bidwell-verification=';

/** The value of the DNS TXT record that proves a mail domain. */
export const txtRecordOf = (token: string): string => TXT_PREFIX + token;

/** The path of the page to which providers send people of a company back. */
export const ssoCallbackPath = (companyId: string): string => `/sso/callback/${companyId}`;

/** The issuers of Microsoft that let people of any organization in: the administrators of such an organization decide which mail addresses they have. */
const SHARED_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i;

/** Whether a text is the address of an issuer: https, without a query, a fragment and a password. */
function isIssuer(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const { protocol, search, hash, username, password } = new URL(text);
  const extras = [search, hash, username, password];
  return protocol === 'https:' && extras.every((part) => part === '') && !/[?#]/.test(text);
}

/** An issuer as OpenID Connect Discovery identifies it; a trailing slash is part of it. */
const Issuer = z
  .string()
  .trim()
  .max(500, 'At most 500 characters')
  // Pasted is often the address of the metadata.
  .overwrite((text) => text.replace(/\/\.well-known\/openid-configuration\/?$/, ''))
  .refine(isIssuer, accountMessages.ssoIssuer)
  .refine((text) => !SHARED_ISSUER.test(text), accountMessages.ssoSharedIssuer);

/** A mail domain in lower case, in ASCII form. */
const MailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(asciiDomain)
  .max(253, accountMessages.ssoDomain)
  .regex(/^(?:[a-z\d-]{1,63}\.)+[a-z][a-z\d-]{1,62}$/, accountMessages.ssoDomain);

/** The roles that single sign-on gives to new people: any but owner. */
const SsoRole = z.enum(COMPANY_ROLES).exclude(['owner']);

/** PUT /sso: how people of the company sign in. */
export const SsoInput = z.object({
  issuer: Issuer,
  client_id: requiredText(300),
  /** Required at first and for another issuer; the stored one stays where it is absent. No response has it. */
  client_secret: z
    .string()
    .trim()
    .max(1000, 'At most 1000 characters')
    .nullish()
    .transform((secret) => (secret === '' ? null : (secret ?? null))),
  /** The role of people who join by signing in. */
  role: SsoRole.default('analyst'),
  /** Whether a person of a proven mail domain who is not in the company yet joins by signing in. */
  may_join: z.boolean().default(false),
  /** Whether people of the proven mail domains may not use a password for this company; owners always may. */
  is_required: z.boolean().default(false),
});
export type SsoInput = z.infer<typeof SsoInput>;

/** The provider of a company. */
const SsoProvider = z.object({
  issuer: z.string(),
  client_id: z.string(),
  /** False where the key that encrypted the secret was lost: no one can sign in until an owner enters it again. */
  has_client_secret: z.boolean(),
  role: CompanyRole,
  may_join: z.boolean(),
  is_required: z.boolean(),
  updated_at: Timestamp,
});

export const SsoDomainInput = z.object({ domain: MailDomain });

/** A mail domain of a company. */
export const SsoDomain = z.object({
  uuid: Uuid,
  domain: z.string(),
  /** The value of the DNS TXT record of the domain that proves it. */
  txt_record: z.string(),
  /** When it was proven; null before that, while it cannot be used to sign in. */
  verified_at: Timestamp.nullable(),
});
export type SsoDomain = z.infer<typeof SsoDomain>;

export const SsoSettings = z.object({
  provider: SsoProvider.nullable(),
  domains: z.array(SsoDomain),
  /** The address to enter at the provider, exactly. */
  redirect_uri: z.string(),
});
export type SsoSettings = z.infer<typeof SsoSettings>;

export const ssoVersion = entityVersion(SsoSettings, ['domains', 'redirect_uri']);

/** POST /sso/sign-in: the mail address whose domain says which provider it is. */
export const SsoSignIn = z.object({ email: Email });

/** Where the browser has to go: the provider's page. */
export const SsoLocation = z.object({ location: z.string() });

/** POST /sso/callback: the parameters with which the provider redirected the browser. */
export const SsoCallback = z.object({
  company_uuid: Uuid,
  /** The query of the address, as it is. */
  query: z.string().min(1, accountMessages.ssoState).max(8192, accountMessages.ssoState),
});

/** A session, or null where the sign-on was linked to an account whose session goes on. */
export const SsoOutcome = z.object({ session: SessionTokens.nullable() });
export type SsoOutcome = z.infer<typeof SsoOutcome>;

/** Single sign-on of the caller in their company. */
export const OwnSso = z.object({
  /** Whether the company has a provider. */
  is_offered: z.boolean(),
  /** Whether the account is linked with an identity there. */
  is_linked: z.boolean(),
});
export type OwnSso = z.infer<typeof OwnSso>;

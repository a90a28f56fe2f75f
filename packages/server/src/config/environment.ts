import { asciiAddress } from '@bidwell/contract/accounts/domain';
import { z } from 'zod';
import { type TrustedProxies, parseTrustedProxies } from '../platform/http/auth/trusted-proxies.ts';
import { originOf } from '../platform/http/public-url.ts';
import type { TracingSettings } from '../platform/telemetry/trace-exporter.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

export const ROLES = ['api', 'bidder', 'tracker', 'counter', 'jobs'] as const;

export type Role = (typeof ROLES)[number];

/** An invalid environment variable; `message` is one sentence that names the variable and the expected value. */
export class ConfigError extends Error {}

const isUrl = (text: string, schemes: readonly string[]): boolean =>
  canParseUrl(text) && schemes.includes(new URL(text).protocol.slice(0, -1));

const optionalUrl = (...schemes: string[]) =>
  z
    .string()
    .refine((text) => isUrl(text, schemes), {
      message: `an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    })
    .optional();

const ORIGIN =
  'an address that starts with http:// or https://, with a domain or an IP address alone: without a path, a query, a name or a password';

/** An address without a path, which is read as its origin: paths of the server are put after it. */
const optionalOrigin = z
  .string()
  .transform((text, context) => {
    const origin = originOf(text);
    if (origin === null) context.addIssue({ code: 'custom', message: ORIGIN });
    return origin ?? '';
  })
  .optional();

/** Least number of characters of a secret. */
export const SECRET_LENGTH_MIN = 32;
const secret = z.string().min(SECRET_LENGTH_MIN, `at least ${SECRET_LENGTH_MIN} characters`).optional();

const ENCRYPTION_KEYS_MAX = 10;
const encryptionKeys = `up to ${ENCRYPTION_KEYS_MAX} keys of at least ${SECRET_LENGTH_MIN} characters, with commas between`;

/** Installs are accepted up to a month after their bid: retention must be longer than that. */
const EVENTS_KEPT_DAYS_MIN = 62;
/** The change log says which tracking link an ad set had when the click of a postback happened. */
const CHANGES_KEPT_DAYS_MIN = 92;
/** Spend is posted up to eight days late, and statements of the last month are by days. */
const LEDGER_HOURS_KEPT_DAYS_MIN = 62;
const days = (min: number) => {
  const message = `a number of days, at least ${min}`;
  return z.coerce.number(message).int(message).min(min, message).max(36_500, message);
};

const BYTES_MAX = 1024 ** 4;
/** A number of bytes from `min`, which `minText` names in larger units, to 1 TiB. */
const byteCount = (min: number, minText: string) => {
  const message = `a number of bytes, ${min} (${minText}) to ${BYTES_MAX} (1 TiB)`;
  return z.coerce.number(message).int(message).min(min, message).max(BYTES_MAX, message);
};

/** The largest upload has 100 MiB, and some are read at once. */
const FILE_CACHE_MIB_MIN = 256;

const S3_PREFIX = /^[\w.-]+(\/[\w.-]+)*\/?$/;
const testKey = 'a public key of the curve P-256, as SPKI in base64';

const SECURITY_CONTACT = 'an address that starts with mailto:, https:// or tel:';

const INTERNAL_HOST = /^[a-z\d.-]{1,253}:\d{1,5}$/;
const internalHosts = 'hosts with their port, such as chat.internal:8065, with commas between';
const ssoHosts = 'up to 20 hosts with their port, such as id.corp.example:8443, with commas between';

const replicas = 'a number of NATS servers, 1 to 5';

const readTrustedProxies = (text: string, context: z.RefinementCtx): TrustedProxies => {
  const message =
    'the number of proxies in front (0 to 10), or their addresses and networks with commas between';
  const proxies = parseTrustedProxies(text);
  if (proxies === null) context.addIssue({ code: 'custom', message });
  return proxies ?? 0;
};

const port = z.coerce
  .number('a port number')
  .int('a port number')
  .min(0, 'a port number')
  .max(65_535, 'a port number');

const writes = 'a number of calls, 10 to 1000000';

const connections = 'a number of connections, 2 to 100';

const share = 'a number from 0 to 1';
const HEADER = /^[\w!#$%&'*+.^`|~-]{1,100}=[\x21-\x2b\x2d-\x7e]{0,2000}$/;

/** The address of another server, after which paths are put; its password, if it has one, is a separate setting. */
const httpEndpoint = z.string().refine((text) => canParseUrl(text) && /^https?:\/\/[^?#@]+$/i.test(text), {
  message: 'an address that starts with http:// or https://, without a name, a password or a query',
});

/** The environment variables of traces, under the names that OpenTelemetry's specification gives them. */
const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((text) => text.split(',').every((header) => HEADER.test(header.trim())), {
      message: 'headers such as name=value, with commas between',
    })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(share).min(0, share).max(1, share).default(0.01),
  OTEL_SERVICE_NAME: z.string().min(1).max(100, 'at most 100 characters').optional(),
};

/** The environment variables that the server reads. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  ADMIN_PORT: port.optional(),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  PUBLIC_URL: optionalOrigin,
  ASSET_ORIGIN: optionalOrigin,
  DATABASE_URL: optionalUrl('postgres', 'postgresql'),
  DATABASE_POOL_MAX: z.coerce
    .number(connections)
    .int(connections)
    .min(2, connections)
    .max(100, connections)
    .optional(),
  DATABASE_REPLICA_URL: optionalUrl('postgres', 'postgresql'),
  CLICKHOUSE_URL: optionalUrl('http', 'https'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'the name of a cluster: letters, digits, underscores and hyphens')
    .optional(),
  NATS_URL: z
    .string()
    .refine((list) => list.split(',').every((v) => isUrl(v.trim(), ['nats', 'tls'])), {
      message: 'an address that starts with nats:// or tls://, or several with commas between',
    })
    .optional(),
  CENTRIFUGO_URL: httpEndpoint.optional(),
  CENTRIFUGO_API_KEY: z.string().min(1).optional(),
  ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, `one or more of ${ROLES.join(', ')}, with commas between`)).min(1)),
  MODERATION: z.enum(['manual', 'auto']).default('manual'),
  SMTP_URL: optionalUrl('smtp', 'smtps'),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(200)
    .refine(
      (text) => /^[^\r\n]*$/.test(text) && text.indexOf('@', 1) > 0 && !text.endsWith('@'),
      'an e-mail address, with a name before it or not',
    )
    .optional(),
  OPERATOR_ALERT_MAIL: z
    .string()
    .overwrite(asciiAddress)
    .check(z.email('an e-mail address'))
    .max(200, 'an e-mail address')
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .max(200, 'at most 200 characters')
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/i, SECURITY_CONTACT)
    .optional(),
  ALERT_INTERNAL_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(INTERNAL_HOST, internalHosts)).max(100, internalHosts))
    .default([]),
  PARTNER_STAND_IN: optionalOrigin,
  APPSFLYER_PULL_KEY: z.string().min(1).max(500, 'at most 500 characters').optional(),
  CAPTCHA: z.enum(['altcha', 'recaptcha', 'off']).default('altcha'),
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  RECAPTCHA_SECRET_KEY: z.string().min(1).optional(),
  ACCESS_TOKEN_SECRET: secret,
  SIGNING_SECRET: secret,
  SIGNING_SECRET_PREVIOUS: secret,
  OPERATOR_TOKEN: secret,
  ENCRYPTION_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(z.string().min(SECRET_LENGTH_MIN, encryptionKeys)).max(ENCRYPTION_KEYS_MAX, encryptionKeys))
    .optional(),
  LOST_ENCRYPTION_KEYS: z
    .string()
    .transform((text) => text.split(',').map((id) => id.trim()))
    .pipe(z.array(z.string().regex(/^[\da-f]{12}$/, 'ids of encryption keys, with commas between')))
    .default([]),
  STORE_PAGES: z.enum(['on', 'off']).default('on'),
  SSO_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(/^[a-z\d.-]{1,253}:\d{1,5}$/, ssoHosts)).max(20, ssoHosts))
    .default([]),
  TCF_VENDOR_ID: z.coerce
    .number('a number')
    .int('a number')
    .min(1, 'a number')
    .max(65_535, 'a number')
    .optional(),
  DATACENTER_RANGES: z.string().min(1).optional(),
  GEOIP_DATABASE: z.string().min(1).optional(),
  OMID_SCRIPT_URL: optionalUrl('https'),
  OMID_VENDOR: z.string().min(1).max(200).optional(),
  OMID_PARAMETERS: z.string().max(500, 'at most 500 characters').default(''),
  INSTALL_POSTBACK_TEST_KEY: z.string().max(200, testKey).optional(),
  EVENTS_KEPT_DAYS: days(EVENTS_KEPT_DAYS_MIN).optional(),
  POSTBACKS_KEPT_DAYS: days(1).default(90),
  CHANGES_KEPT_DAYS: days(CHANGES_KEPT_DAYS_MIN).default(730),
  NOTIFICATIONS_KEPT_DAYS: days(7).default(180),
  OPERATOR_ACTS_KEPT_DAYS: days(31).default(1825),
  LEDGER_HOURS_KEPT_DAYS: days(LEDGER_HOURS_KEPT_DAYS_MIN).default(400),
  QUARANTINE_KEPT_DAYS: days(1).default(90),
  EVENT_LOG_MAX_BYTES: byteCount(1024 ** 2, '1 MiB').default(1024 ** 3),
  S3_ENDPOINT: httpEndpoint.optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/,
      'the name of a bucket: lower-case letters, digits, dots and hyphens',
    )
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'the name of a region, such as eu-central-1')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PREFIX: z
    .string()
    .max(200, 'at most 200 characters')
    .regex(S3_PREFIX, 'a path such as bidwell/files: letters, digits, dots, hyphens and single slashes')
    .optional(),
  FILE_CACHE_MAX_BYTES: byteCount(FILE_CACHE_MIB_MIN * 1024 ** 2, `${FILE_CACHE_MIB_MIN} MiB`).default(
    1024 ** 3,
  ),
  ADSET_BUNDLES_MAX_BYTES: byteCount(64 * 1024, '64 KiB').default(1024 ** 2),
  COMPANY_BUNDLES_MAX_BYTES: byteCount(64 * 1024, '64 KiB').default(16 * 1024 ** 2),
  STORAGE_QUOTA_NEW_BYTES: byteCount(1024 ** 2, '1 MiB').default(2 * 1024 ** 3),
  STORAGE_QUOTA_BYTES: byteCount(1024 ** 2, '1 MiB').default(100 * 1024 ** 3),
  WRITES_PER_MINUTE: z.coerce.number(writes).int(writes).min(10, writes).max(1_000_000, writes).default(600),
  AUDIENCES_MAX_BYTES: byteCount(16 * 1024 ** 2, '16 MiB').optional(),
  RESPONSES_MAX_BYTES: byteCount(1024 ** 2, '1 MiB').optional(),
  FREQUENCY_MAX_BYTES: byteCount(1024 ** 2, '1 MiB').optional(),
  EVENT_STREAM_REPLICAS: z.coerce.number(replicas).int(replicas).min(1, replicas).max(5, replicas).optional(),
  EVENT_STREAM_MAX_BYTES: byteCount(16 * 1024 ** 2, '16 MiB').optional(),
  ...tracingVariables,
  TRUST_PROXY: z.string().default('false').transform(readTrustedProxies),
  MEMORY_MIB: z.coerce
    .number('a whole number of MiB')
    .int('a whole number of MiB')
    .min(1, 'a whole number of MiB')
    .optional(),
  CONNECTIONS_MAX: z.coerce
    .number('a number of connections, at least 10')
    .int('a number of connections, at least 10')
    .min(10, 'a number of connections, at least 10')
    .default(25_000),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number('a number of seconds, 0 to 5')
    .min(0, 'a number of seconds, 0 to 5')
    .max(5, 'a number of seconds, 0 to 5')
    .default(1),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

export type Environment = z.infer<typeof Environment>;

/** Settings of traces; null where no collector is named. */
export function tracingOf(
  values: z.infer<z.ZodObject<typeof tracingVariables>>,
  roles: readonly string[],
  allRoles: number,
): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return null;
  const name = roles.length === allRoles ? 'bidwell' : `bidwell-${roles.join('-')}`;
  return {
    endpoint: endpoint.replace(/(?<!\/)\/+$/, ''),
    headers: Object.fromEntries((headers?.split(',') ?? []).map(headerOf)),
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    serviceName: values.OTEL_SERVICE_NAME ?? name,
  };
}

/** A header's value is percent-encoded where it has characters that the list itself uses. */
function headerOf(text: string): [string, string] {
  const [name, ...value] = text.trim().split('=');
  const encoded = value.join('=');
  try {
    return [name!, decodeURIComponent(encoded)];
  } catch {
    return [name!, encoded];
  }
}

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { S3Settings } from './platform/files/s3-refused.ts';
import type { TrustedProxies } from './platform/http/trusted-proxies.ts';
import { parseTrustedProxies } from './platform/http/trusted-proxies.ts';
import type { MailSettings } from './platform/mail/mailer.ts';
import { availableMemoryMib } from './platform/memory.ts';
import type { CentrifugoApi } from './platform/realtime/centrifugo.ts';
import type { TracingSettings } from './platform/telemetry/trace-exporter.ts';
import { tracingOf, tracingVariables } from './tracing-settings.ts';

export const ROLES = ['api', 'bidder', 'tracker', 'counter', 'jobs'] as const;
export type Role = (typeof ROLES)[number];

const isUrl = (text: string, schemes: readonly string[]): boolean =>
  URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1));

const optionalUrl = (...schemes: string[]) =>
  z
    .string()
    .refine((text) => isUrl(text, schemes), {
      message: `an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    })
    .optional();

const SECRET_LENGTH_MIN = 32;
const secret = z.string().min(SECRET_LENGTH_MIN, `at least ${SECRET_LENGTH_MIN} characters`).optional();

/** Installs are accepted up to a month after their bid: retention must be longer than that. */
const EVENTS_KEPT_DAYS_MIN = 62;
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
const s3Endpoint = z.string().refine((text) => isUrl(text, ['http', 'https']) && /^[^?#@]+$/.test(text), {
  message: 'an address that starts with http:// or https://, without a name, a password or a query',
});

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

const connections = 'a number of connections, 2 to 100';

/** The environment variables that the server reads. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  ADMIN_PORT: port.optional(),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  PUBLIC_URL: optionalUrl('http', 'https'),
  ASSET_ORIGIN: optionalUrl('http', 'https'),
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
  CENTRIFUGO_URL: optionalUrl('http', 'https'),
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
  CAPTCHA: z.enum(['altcha', 'recaptcha', 'off']).default('altcha'),
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  RECAPTCHA_SECRET_KEY: z.string().min(1).optional(),
  ACCESS_TOKEN_SECRET: secret,
  SIGNING_SECRET: secret,
  SIGNING_SECRET_PREVIOUS: secret,
  OPERATOR_TOKEN: secret,
  STORE_PAGES: z.enum(['on', 'off']).default('on'),
  TCF_VENDOR_ID: z.coerce
    .number('a number')
    .int('a number')
    .min(1, 'a number')
    .max(65_535, 'a number')
    .optional(),
  DATACENTER_RANGES: z.string().min(1).optional(),
  OMID_SCRIPT_URL: optionalUrl('https'),
  OMID_VENDOR: z.string().min(1).max(200).optional(),
  OMID_PARAMETERS: z.string().max(500, 'at most 500 characters').default(''),
  EVENTS_KEPT_DAYS: days(EVENTS_KEPT_DAYS_MIN).optional(),
  POSTBACKS_KEPT_DAYS: days(1).default(90),
  EVENT_LOG_MAX_BYTES: byteCount(1024 ** 2, '1 MiB').default(1024 ** 3),
  S3_ENDPOINT: s3Endpoint.optional(),
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
  EVENT_STREAM_REPLICAS: z.coerce.number(replicas).int(replicas).min(1, replicas).max(5, replicas).optional(),
  EVENT_STREAM_MAX_BYTES: byteCount(16 * 1024 ** 2, '16 MiB').optional(),
  ...tracingVariables,
  TRUST_PROXY: z.string().default('false').transform(readTrustedProxies),
  MEMORY_MIB: z.coerce
    .number('a whole number of MiB')
    .int('a whole number of MiB')
    .min(1, 'a whole number of MiB')
    .optional(),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number('a number of seconds, 0 to 5')
    .min(0, 'a number of seconds, 0 to 5')
    .max(5, 'a number of seconds, 0 to 5')
    .default(1),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

export type Config = Readonly<{
  nodeEnv: 'development' | 'test' | 'production';
  port: number;
  host: string;
  /** The separate port of the operator's API and of the metrics; null serves them on the main port. */
  admin: Readonly<{ port: number; host: string }> | null;
  dataDir: string;
  /** Without a trailing slash; undefined where PUBLIC_URL is not set. */
  publicUrl: string | undefined;
  /** Origin that serves uploaded files, without a trailing slash; null where the server's own host does. */
  assetOrigin: string | null;
  databaseUrl: string | undefined;
  /** Connections to a PostgreSQL server at once; undefined for the number of the roles. */
  databasePoolMax: number | undefined;
  /** A read replica of the database at `databaseUrl`. */
  databaseReplicaUrl: string | undefined;
  clickhouseUrl: string | undefined;
  /** The cluster at `clickhouseUrl` that has the tables; undefined where that server itself has them. */
  clickhouseCluster: string | undefined;
  /** Addresses of NATS, separated by commas; undefined without one. */
  natsUrl: string | undefined;
  /** What the pages' websockets are connected to; see docs/realtime.md. */
  live: { kind: 'own' } | ({ kind: 'centrifugo' } & CentrifugoApi);
  /**
   * Settings of the event stream between trackers and counters; null where each tracker counts its own events. Undefined
   * leaves an existing stream as it is.
   */
  eventStream: Readonly<{ replicas: number | undefined; bytesMax: number | undefined }> | null;
  roles: ReadonlySet<Role>;
  moderation: 'manual' | 'auto';
  captcha: { kind: 'altcha' } | { kind: 'off' } | { kind: 'recaptcha'; siteKey: string; secretKey: string };
  /** The server that sends mails, such as links for new passwords; null without one. */
  mail: MailSettings | null;
  /** Signs access tokens. */
  accessTokenSecret: string;
  /** Signs trackers and captcha challenges. */
  signingSecret: string;
  /** The signing secret before the last rotation, whose tokens are still accepted; null without one. */
  previousSigningSecret: string | null;
  operatorToken: string;
  /** The secrets that the environment does not set; `isFresh` if this start generated them. */
  generatedSecrets: Readonly<{ names: readonly SecretName[]; isFresh: boolean }>;
  /** Whether the server fetches pages of app stores to fill in the app form. */
  storePages: boolean;
  /** This DSP's vendor id in the IAB's Global Vendor List; null without one. */
  tcfVendorId: number | null;
  /** The verification script that measures videos through the Open Measurement SDK; null for none. */
  verification: Readonly<{ vendor: string; scriptUrl: string; parameters: string }> | null;
  /** Further data-center networks whose clicks are marked as invalid traffic: the text of the file, `address/bits`. */
  datacenterRanges: string;
  /** Retention in ClickHouse, in days; null keeps rows forever. */
  retentionDays: Readonly<{ events: number | null; postbacks: number }>;
  /** Limit of events that wait in the event log, in bytes; beyond it notices are rejected. */
  eventLogMaxBytes: number;
  /** Where creative files are stored; null stores them in DATA_DIR/files. */
  s3: S3Settings | null;
  /** Limit of the local copies of files in S3, in bytes. */
  fileCacheMaxBytes: number;
  /** The reverse proxies whose X-Forwarded-For header is trusted. */
  trustProxy: TrustedProxies;
  /** Memory that this process may use, in MiB. */
  memoryMib: number;
  /** How long requests are still served after /readyz reports that the server stops. */
  shutdownGraceMs: number;
  /** Where traces are sent; null without a collector. */
  tracing: TracingSettings | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}>;

/** An invalid environment variable; `message` is one sentence that names the variable and the expected value. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. Secrets that are absent there are read from DATA_DIR, where they
 * are generated once. Throws {@link ConfigError}.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const provided = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(provided);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const name = String(issue.path[0]);
    throw new ConfigError(`${name} is ${shown(name, env[name])}, but should be ${expected(issue)}.`);
  }
  const values = parsed.data;
  const dataDir = resolve(values.DATA_DIR);
  const roles = new Set(values.ROLES);
  // Without an event stream, the tracker is the counter.
  const isSplit = ROLES.some((role) => !roles.has(role) && (role !== 'counter' || !!values.NATS_URL));
  if (isSplit && !(values.DATABASE_URL && values.CLICKHOUSE_URL)) {
    throw new ConfigError(
      'ROLES can be split only with DATABASE_URL and CLICKHOUSE_URL set: embedded engines admit one process.',
    );
  }
  if (isSplit && !values.NATS_URL) {
    throw new ConfigError(
      'ROLES are split, which needs NATS_URL: events go from the trackers to the counters through NATS.',
    );
  }
  const missing = (['ACCESS_TOKEN_SECRET', 'SIGNING_SECRET', 'OPERATOR_TOKEN'] as const).filter(
    (name) => !values[name],
  );
  if (isSplit && missing.length > 0)
    throw new ConfigError(
      `ROLES are split, which needs ${missing.join(' and ')}: processes with secrets of their own refuse each other's tokens and notices.`,
    );
  const s3 = s3Of(values);
  if (!s3 && roles.has('api') !== roles.has('tracker'))
    throw new ConfigError(
      `ROLES has ${roles.has('api') ? 'api without tracker' : 'tracker without api'}, which needs S3_ENDPOINT: uploads that are on the disk of another process cannot be served here.`,
    );
  if (values.ADMIN_PORT !== undefined && values.ADMIN_PORT !== 0 && values.ADMIN_PORT === values.PORT)
    throw new ConfigError('ADMIN_PORT is the same as PORT, but should be another one.');
  const secrets = readSecrets(dataDir, values);
  return Object.freeze({
    nodeEnv: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST,
    admin: values.ADMIN_PORT === undefined ? null : { port: values.ADMIN_PORT, host: values.ADMIN_HOST },
    dataDir,
    publicUrl: values.PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
    assetOrigin: assetOriginOf(values),
    databaseUrl: values.DATABASE_URL,
    databasePoolMax: values.DATABASE_POOL_MAX,
    databaseReplicaUrl: replicaOf(values),
    clickhouseUrl: values.CLICKHOUSE_URL,
    clickhouseCluster: clusterOf(values),
    natsUrl: values.NATS_URL,
    live: liveOf(values),
    eventStream:
      values.NATS_URL && values.DATABASE_URL && values.CLICKHOUSE_URL
        ? { replicas: values.EVENT_STREAM_REPLICAS, bytesMax: values.EVENT_STREAM_MAX_BYTES }
        : null,
    roles,
    moderation: values.MODERATION,
    captcha: captchaOf(values),
    mail: mailOf(values),
    ...secrets,
    storePages: values.STORE_PAGES === 'on',
    tcfVendorId: values.TCF_VENDOR_ID ?? null,
    verification: verificationOf(values),
    datacenterRanges: values.DATACENTER_RANGES ? readRanges(values.DATACENTER_RANGES) : '',
    retentionDays: { events: values.EVENTS_KEPT_DAYS ?? null, postbacks: values.POSTBACKS_KEPT_DAYS },
    eventLogMaxBytes: values.EVENT_LOG_MAX_BYTES,
    s3,
    fileCacheMaxBytes: values.FILE_CACHE_MAX_BYTES,
    trustProxy: values.TRUST_PROXY,
    memoryMib: Math.min(values.MEMORY_MIB ?? Infinity, availableMemoryMib()),
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
    tracing: tracingOf(values, [...roles], ROLES.length),
    logLevel: values.LOG_LEVEL,
  });
}

function assetOriginOf({ ASSET_ORIGIN, PUBLIC_URL }: z.infer<typeof Environment>): string | null {
  if (!ASSET_ORIGIN) return null;
  const { origin, host } = new URL(ASSET_ORIGIN);
  if (!PUBLIC_URL || new URL(PUBLIC_URL).host === host) {
    throw new ConfigError(
      'ASSET_ORIGIN is set, which needs a PUBLIC_URL on another host: user files have a host of their own.',
    );
  }
  return origin;
}

function mailOf({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: z.infer<typeof Environment>): MailSettings | null {
  if (!SMTP_URL) {
    if (MAIL_FROM) throw new ConfigError('MAIL_FROM is set, which needs SMTP_URL.');
    return null;
  }
  if (!PUBLIC_URL)
    throw new ConfigError('SMTP_URL is set, which needs PUBLIC_URL: mails hold links to the console.');
  return { url: SMTP_URL, from: MAIL_FROM ?? `Bidwell <no-reply@${new URL(PUBLIC_URL).hostname}>` };
}

function replicaOf({ DATABASE_REPLICA_URL, DATABASE_URL }: z.infer<typeof Environment>): string | undefined {
  if (DATABASE_REPLICA_URL && !DATABASE_URL)
    throw new ConfigError(
      'DATABASE_REPLICA_URL is set, which needs DATABASE_URL: the address of its primary.',
    );
  return DATABASE_REPLICA_URL;
}

function clusterOf({ CLICKHOUSE_CLUSTER, CLICKHOUSE_URL }: z.infer<typeof Environment>): string | undefined {
  if (CLICKHOUSE_CLUSTER && !CLICKHOUSE_URL)
    throw new ConfigError(
      'CLICKHOUSE_CLUSTER is set, which needs CLICKHOUSE_URL: the address of one of its servers.',
    );
  return CLICKHOUSE_CLUSTER;
}

const S3_REQUIRED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function s3Of(values: z.infer<typeof Environment>): S3Settings | null {
  if (!values.S3_ENDPOINT) {
    const surplus = ([...S3_REQUIRED, 'S3_REGION', 'S3_PREFIX'] as const).find((name) => values[name]);
    if (surplus) throw new ConfigError(`${surplus} is set, which needs S3_ENDPOINT.`);
    return null;
  }
  const missing = S3_REQUIRED.filter((name) => !values[name]);
  if (missing.length > 0) throw new ConfigError(`S3_ENDPOINT is set, which needs ${missing.join(' and ')}.`);
  return {
    endpoint: values.S3_ENDPOINT.replace(/(?<!\/)\/+$/, ''),
    bucket: values.S3_BUCKET!,
    region: values.S3_REGION ?? 'us-east-1',
    accessKeyId: values.S3_ACCESS_KEY_ID!,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY!,
    prefix: values.S3_PREFIX ? values.S3_PREFIX.replace(/\/?$/, '/') : '',
  };
}

function verificationOf({
  OMID_SCRIPT_URL: scriptUrl,
  OMID_VENDOR: vendor,
  OMID_PARAMETERS: parameters,
}: z.infer<typeof Environment>): Config['verification'] {
  if (!scriptUrl && !vendor) return null;
  if (!scriptUrl || !vendor)
    throw new ConfigError('OMID_SCRIPT_URL and OMID_VENDOR belong together: set both, or neither.');
  return { vendor, scriptUrl, parameters };
}

function readRanges(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(`DATACENTER_RANGES is "${path}", but should be a file that can be read.`);
  }
}

/** Formats a value for an error message; hides secrets and URLs that may hold a password. */
function shown(name: string, value = ''): string {
  return /SECRET|TOKEN|KEY|DATABASE|CLICKHOUSE|NATS|SMTP|CENTRIFUGO|ENDPOINT|HEADERS/.test(name)
    ? 'not valid'
    : `"${value}"`;
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

function liveOf(values: z.infer<typeof Environment>): Config['live'] {
  const { CENTRIFUGO_URL: url, CENTRIFUGO_API_KEY: key } = values;
  if (!url) return { kind: 'own' };
  if (!key) throw new ConfigError('CENTRIFUGO_URL is set, which needs CENTRIFUGO_API_KEY.');
  return { kind: 'centrifugo', url: url.replace(/(?<!\/)\/+$/, ''), key };
}

function captchaOf(values: z.infer<typeof Environment>): Config['captcha'] {
  if (values.CAPTCHA === 'off') {
    if (values.NODE_ENV === 'production')
      throw new ConfigError(
        'CAPTCHA is "off", which NODE_ENV=production does not allow: set NODE_ENV=development.',
      );
    return { kind: 'off' };
  }
  if (values.CAPTCHA === 'altcha') return { kind: 'altcha' };
  if (!values.RECAPTCHA_SITE_KEY || !values.RECAPTCHA_SECRET_KEY) {
    throw new ConfigError('CAPTCHA is "recaptcha", which needs RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET_KEY.');
  }
  return { kind: 'recaptcha', siteKey: values.RECAPTCHA_SITE_KEY, secretKey: values.RECAPTCHA_SECRET_KEY };
}

const StoredSecrets = z.object({
  accessTokenSecret: z.string().min(SECRET_LENGTH_MIN),
  signingSecret: z.string().min(SECRET_LENGTH_MIN),
  operatorToken: z.string().min(SECRET_LENGTH_MIN),
  /** The server's own signing secret before it adopted the shared one. */
  previousSigningSecret: z.string().min(SECRET_LENGTH_MIN).optional(),
});
type StoredSecrets = z.infer<typeof StoredSecrets>;
type SecretName = Exclude<keyof StoredSecrets, 'previousSigningSecret'>;

function readSecrets(
  dataDir: string,
  values: z.infer<typeof Environment>,
): Pick<Config, SecretName | 'previousSigningSecret' | 'generatedSecrets'> {
  const provided: Record<SecretName, string | undefined> = {
    accessTokenSecret: values.ACCESS_TOKEN_SECRET,
    signingSecret: values.SIGNING_SECRET,
    operatorToken: values.OPERATOR_TOKEN,
  };
  const names = (Object.keys(provided) as SecretName[]).filter((name) => provided[name] === undefined);
  const { secrets, isFresh } = names.length > 0 ? storedSecrets(dataDir) : { secrets: null, isFresh: false };
  const secretOf = (name: SecretName) => provided[name] ?? secrets![name];
  return {
    accessTokenSecret: secretOf('accessTokenSecret'),
    signingSecret: secretOf('signingSecret'),
    operatorToken: secretOf('operatorToken'),
    previousSigningSecret: values.SIGNING_SECRET_PREVIOUS ?? secrets?.previousSigningSecret ?? null,
    generatedSecrets: { names, isFresh },
  };
}

/** Overwrites these secrets in DATA_DIR. Throws {@link ConfigError} where the folder cannot be written. */
export function storeSecrets(dataDir: string, secrets: Partial<StoredSecrets>): void {
  const path = secretsPath(dataDir);
  const partial = `${path}.${process.pid}`;
  const stored = { ...storedSecrets(dataDir).secrets, ...secrets };
  try {
    writeFileSync(partial, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, path);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

const secretsPath = (dataDir: string) => join(dataDir, 'secrets.json');

function storedSecrets(dataDir: string): { secrets: StoredSecrets; isFresh: boolean } {
  const path = secretsPath(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw unwritable(dataDir, error);
  }
  try {
    const random = () => randomBytes(32).toString('base64url');
    const fresh = { accessTokenSecret: random(), signingSecret: random(), operatorToken: random() };
    // `wx` fails if the file exists, so that two concurrent first starts use the same secrets.
    writeFileSync(path, `${JSON.stringify(fresh, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    return { secrets: fresh, isFresh: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(dataDir, error);
  }
  const stored = StoredSecrets.safeParse(readJson(path));
  if (!stored.success) throw new ConfigError(`DATA_DIR holds a secrets.json that cannot be read: ${path}.`);
  return { secrets: stored.data, isFresh: false };
}

function unwritable(dataDir: string, error: unknown): ConfigError {
  const reason = (error as Error).message;
  return new ConfigError(`DATA_DIR is "${dataDir}", but that folder cannot be written: ${reason}.`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

import { PRODUCT } from '@bidwell/contract/branding/product';
import { readFileSync } from 'node:fs';
import { resolve, basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { ConfigError, Environment, ROLES, type Role, tracingOf } from './environment.ts';
import type { S3Settings } from '../platform/files/s3.ts';
import type { TrustedProxies } from '../platform/http/auth/trusted-proxies.ts';
import type { MailSettings } from '../platform/mail/mailer.ts';
import { availableMemoryMib } from '../platform/memory.ts';
import type { CentrifugoApi } from '../platform/realtime/centrifugo.ts';
import type { TracingSettings } from '../platform/telemetry/trace-exporter.ts';
import { type Secrets, readSecrets } from './secrets.ts';
import { createPublicKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** Settings of a server. */
export type Config = Secrets &
  Readonly<{
    port: number;
    host: string;
    /** The separate port of the operator's API and of the metrics; null serves them on the main port. */
    admin: Readonly<{ port: number; host: string }> | null;
    dataDir: string;
    /** An origin: without a path and a trailing slash; undefined where PUBLIC_URL is not set. */
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
    /** The service that pages' websockets connect to; see docs/realtime.md. */
    live: { kind: 'own' } | ({ kind: 'centrifugo' } & CentrifugoApi);
    /**
     * Settings of the event stream between trackers and counters; null where each tracker counts its own events. Undefined
     * leaves an existing stream as it is.
     */
    eventStream: Readonly<{ replicas: number | undefined; bytesMax: number | undefined }> | null;
    roles: ReadonlySet<Role>;
    moderation: 'manual' | 'auto';
    captcha: { kind: 'altcha' } | { kind: 'off' } | { kind: 'recaptcha'; siteKey: string; secretKey: string };
    /** Ids of encryption keys that are lost: the start removes values encrypted with them from the database. */
    lostKeys: readonly string[];
    /** The server that sends mails, such as links for new passwords; null without one. */
    mail: MailSettings | null;
    /** Where operators are warned by mail; null for nowhere. */
    operatorAlertMail: string | null;
    /** Where weaknesses of this installation are reported to, as a URI; null for nowhere. */
    securityContact: string | null;
    /** Hosts, each with its port, that alerts may be sent to although they are not in the public internet. */
    alertInternalHosts: ReadonlySet<string>;
    /** A server that stands in for all measurement partners, as an origin; null where the calls go to the partners. */
    partnerStandIn: string | null;
    /** AppsFlyer's key of this network, with which it fetches files of audiences; null without one. */
    appsFlyerPullKey: string | null;
    /** Whether the server fetches pages of app stores to fill in the app form. */
    storePages: boolean;
    /** Providers of single sign-on, as `host:port`, that may be in the private network. */
    ssoPrivateHosts: ReadonlySet<string>;
    /** This DSP's vendor id in the IAB's Global Vendor List; null without one. */
    tcfVendorId: number | null;
    /** The verification script that measures videos through the Open Measurement SDK; null for none. */
    verification: Readonly<{ vendor: string; scriptUrl: string; parameters: string }> | null;
    /** Further data-center networks whose clicks are marked as invalid traffic: the text of the file, `address/bits`. */
    datacenterRanges: string;
    /** A file with a database of addresses in MaxMind's format (.mmdb), which completes the places of requests; null for none. */
    geoIpDatabase: string | null;
    /** A key that verifies install postbacks of simulated devices in addition to Apple's: SPKI in base64; null in production. */
    installPostbackTestKey: string | null;
    /** Retention in ClickHouse, in days; null keeps rows forever. */
    retentionDays: Readonly<{ events: number | null; postbacks: number }>;
    /** Retention in PostgreSQL and on the disks of trackers, in days. */
    keptDays: Readonly<{
      changes: number;
      notifications: number;
      auditEntries: number;
      /** Spend by hour; older months are summed up. */
      ledgerHours: number;
      /** Damaged segments of a tracker's logs. */
      quarantine: number;
    }>;
    /** Limit of events that wait in the event log, in bytes; beyond it notices are rejected. */
    eventLogMaxBytes: number;
    /** Limits of the bundle lists and bundle bids of an ad set, and of all ad sets of a company, in bytes of JSON. */
    bundleBytesMax: Readonly<{ adset: number; company: number }>;
    /** Bytes of files that a company may have before one of its apps was approved, and from then on. */
    storageQuotaBytes: Readonly<{ before: number; after: number }>;
    /** Calls a minute by which a person of the console may make changes; a company may make twice as many. */
    writesPerMinute: number;
    /** Limit of the audiences in the memory of a bidder, in bytes. */
    audienceBytesMax: number;
    /** Limit of the memory of long responses of the API under way, in bytes. */
    responsesMaxBytes: number;
    /** Where creative files are stored; null stores them in DATA_DIR/files. */
    s3: S3Settings | null;
    /** Limit of the local copies of files in S3, in bytes. */
    fileCacheMaxBytes: number;
    /** The reverse proxies whose X-Forwarded-For header is trusted. */
    trustProxy: TrustedProxies;
    /** Memory that this process may use, in MiB. */
    memoryMib: number;
    /** Memory of a bidder for the counts of frequency caps, in bytes. */
    frequencyMaxBytes: number;
    /** How long requests are still served after /readyz reports that the server stops. */
    connectionsMax: number;
    shutdownGraceMs: number;
    /** Where traces are sent; null without a collector. */
    tracing: TracingSettings | null;
    logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  }>;

/** What a bidder needs for about two million impressions. */
const FREQUENCY_BYTES = 128 * 1024 ** 2;

const folder = dirname(fileURLToPath(import.meta.url));

// The sources of the server are bundled into packages/server/dist.
const server = basename(folder) === 'dist' ? dirname(folder) : join(folder, '../..');

/** Folder of the built programs and of the databases' templates. */
export const PROGRAM_FOLDER = join(server, 'dist');

/** Folder of the built console. */
export const CONSOLE_FOLDER = join(server, '../console/dist');

/**
 * Reads the configuration from environment variables. Secrets that are absent there are read from DATA_DIR, where they
 * are generated once; without `createsSecrets` secrets in neither are random and not stored. Throws
 * {@link ConfigError}.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  { createsSecrets = true }: { createsSecrets?: boolean } = {},
): Config {
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
  checkSplitRoles(values, roles);
  const s3 = s3Of(values);
  if (!s3 && roles.has('api') !== roles.has('tracker'))
    throw new ConfigError(
      `ROLES has ${roles.has('api') ? 'api without tracker' : 'tracker without api'}, which needs S3_ENDPOINT: uploads that are on the disk of another process cannot be served here.`,
    );
  if (values.ADMIN_PORT !== undefined && values.ADMIN_PORT !== 0 && values.ADMIN_PORT === values.PORT)
    throw new ConfigError('ADMIN_PORT is the same as PORT, but should be another one.');
  const secrets = readSecrets(dataDir, values, createsSecrets);
  const memoryMib = Math.min(values.MEMORY_MIB ?? Infinity, availableMemoryMib());
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    admin: values.ADMIN_PORT === undefined ? null : { port: values.ADMIN_PORT, host: values.ADMIN_HOST },
    dataDir,
    publicUrl: values.PUBLIC_URL,
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
    lostKeys: values.LOST_ENCRYPTION_KEYS,
    ...secrets,
    operatorAlertMail: values.OPERATOR_ALERT_MAIL ?? null,
    securityContact: values.SECURITY_CONTACT ?? null,
    alertInternalHosts: new Set(values.ALERT_INTERNAL_HOSTS),
    partnerStandIn: values.PARTNER_STAND_IN ?? null,
    appsFlyerPullKey: values.APPSFLYER_PULL_KEY ?? null,
    storePages: values.STORE_PAGES === 'on',
    ssoPrivateHosts: new Set(values.SSO_PRIVATE_HOSTS),
    tcfVendorId: values.TCF_VENDOR_ID ?? null,
    verification: verificationOf(values),
    datacenterRanges: values.DATACENTER_RANGES ? readRanges(values.DATACENTER_RANGES) : '',
    geoIpDatabase: values.GEOIP_DATABASE ?? null,
    installPostbackTestKey: testKeyOf(values),
    retentionDays: { events: values.EVENTS_KEPT_DAYS ?? null, postbacks: values.POSTBACKS_KEPT_DAYS },
    keptDays: {
      changes: values.CHANGES_KEPT_DAYS,
      notifications: values.NOTIFICATIONS_KEPT_DAYS,
      auditEntries: values.OPERATOR_ACTS_KEPT_DAYS,
      ledgerHours: values.LEDGER_HOURS_KEPT_DAYS,
      quarantine: values.QUARANTINE_KEPT_DAYS,
    },
    eventLogMaxBytes: values.EVENT_LOG_MAX_BYTES,
    bundleBytesMax: { adset: values.ADSET_BUNDLES_MAX_BYTES, company: values.COMPANY_BUNDLES_MAX_BYTES },
    storageQuotaBytes: { before: values.STORAGE_QUOTA_NEW_BYTES, after: values.STORAGE_QUOTA_BYTES },
    writesPerMinute: values.WRITES_PER_MINUTE,
    audienceBytesMax:
      values.AUDIENCES_MAX_BYTES ?? Math.min(512 * 1024 ** 2, Math.floor((memoryMib / 4) * 1024 ** 2)),
    responsesMaxBytes: values.RESPONSES_MAX_BYTES ?? Math.floor((memoryMib / 8) * 1024 ** 2),
    s3,
    fileCacheMaxBytes: values.FILE_CACHE_MAX_BYTES,
    trustProxy: values.TRUST_PROXY,
    connectionsMax: values.CONNECTIONS_MAX,
    memoryMib,
    frequencyMaxBytes:
      values.FREQUENCY_MAX_BYTES ?? Math.min(FREQUENCY_BYTES, Math.floor((memoryMib / 8) * 1024 ** 2)),
    shutdownGraceMs: values.SHUTDOWN_GRACE_SECONDS * 1000,
    tracing: tracingOf(values, [...roles], ROLES.length),
    logLevel: values.LOG_LEVEL,
  });
}

/** Checks that the processes of an installation whose roles are split share the services and secrets that they need. Throws ConfigError. */
function checkSplitRoles(values: Environment, roles: ReadonlySet<Role>): void {
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
  const missing = (
    ['ACCESS_TOKEN_SECRET', 'SIGNING_SECRET', 'OPERATOR_TOKEN', 'ENCRYPTION_KEYS'] as const
  ).filter((name) => !values[name]);
  if (isSplit && missing.length > 0)
    throw new ConfigError(
      `ROLES are split, which needs ${missing.join(' and ')}: processes with secrets of their own refuse each other's tokens and notices, and cannot read what another one encrypted.`,
    );
}

function assetOriginOf({ ASSET_ORIGIN, PUBLIC_URL }: Environment): string | null {
  if (!ASSET_ORIGIN) return null;
  if (!PUBLIC_URL || new URL(PUBLIC_URL).host === new URL(ASSET_ORIGIN).host) {
    throw new ConfigError(
      'ASSET_ORIGIN is set, which needs a PUBLIC_URL on another host: user files have a host of their own.',
    );
  }
  return ASSET_ORIGIN;
}

function mailOf({ SMTP_URL, MAIL_FROM, OPERATOR_ALERT_MAIL, PUBLIC_URL }: Environment): MailSettings | null {
  if (!SMTP_URL) {
    if (OPERATOR_ALERT_MAIL) throw new ConfigError('OPERATOR_ALERT_MAIL is set, which needs SMTP_URL.');
    if (MAIL_FROM) throw new ConfigError('MAIL_FROM is set, which needs SMTP_URL.');
    return null;
  }
  if (!PUBLIC_URL)
    throw new ConfigError('SMTP_URL is set, which needs PUBLIC_URL: mails hold links to the console.');
  return { url: SMTP_URL, from: MAIL_FROM ?? `${PRODUCT} <no-reply@${new URL(PUBLIC_URL).hostname}>` };
}

function replicaOf({ DATABASE_REPLICA_URL, DATABASE_URL }: Environment): string | undefined {
  if (DATABASE_REPLICA_URL && !DATABASE_URL)
    throw new ConfigError(
      'DATABASE_REPLICA_URL is set, which needs DATABASE_URL: the address of its primary.',
    );
  return DATABASE_REPLICA_URL;
}

function clusterOf({ CLICKHOUSE_CLUSTER, CLICKHOUSE_URL }: Environment): string | undefined {
  if (CLICKHOUSE_CLUSTER && !CLICKHOUSE_URL)
    throw new ConfigError(
      'CLICKHOUSE_CLUSTER is set, which needs CLICKHOUSE_URL: the address of one of its servers.',
    );
  return CLICKHOUSE_CLUSTER;
}

const S3_REQUIRED = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

function s3Of(values: Environment): S3Settings | null {
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
}: Environment): Config['verification'] {
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
  const mayHoldSecret = /SECRET|TOKEN|KEY|DATABASE|CLICKHOUSE|NATS|SMTP|CENTRIFUGO|ENDPOINT|HEADERS/.test(
    name,
  );
  return mayHoldSecret || /^\w+:\/\/[^/?#]*@/.test(value) ? 'not valid' : `"${value}"`;
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

function liveOf(values: Environment): Config['live'] {
  const { CENTRIFUGO_URL: url, CENTRIFUGO_API_KEY: key } = values;
  if (!url) return { kind: 'own' };
  if (!key) throw new ConfigError('CENTRIFUGO_URL is set, which needs CENTRIFUGO_API_KEY.');
  return { kind: 'centrifugo', url: url.replace(/(?<!\/)\/+$/, ''), key };
}

function captchaOf(values: Environment): Config['captcha'] {
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

/** The key of simulated devices; null for none. Not in production: anyone with its private half can make up installs. Throws {@link ConfigError}. */
function testKeyOf({ INSTALL_POSTBACK_TEST_KEY: key, NODE_ENV }: Environment): string | null {
  if (!key) return null;
  if (NODE_ENV === 'production')
    throw new ConfigError(
      'INSTALL_POSTBACK_TEST_KEY is set, which NODE_ENV=production does not allow: set NODE_ENV=development.',
    );
  if (!isP256(key))
    throw new ConfigError(
      'INSTALL_POSTBACK_TEST_KEY is not valid, but should be a public key of the curve P-256, as SPKI in base64.',
    );
  return key;
}

function isP256(spkiBase64: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spkiBase64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

type Admin = NonNullable<Config['admin']>;

const EVERYWHERE = ['0.0.0.0', '::'];

/** URL of the operator's port for programs on this machine, without a trailing slash. Pure. */
export function adminUrl({ host, port }: Admin): string {
  if (EVERYWHERE.includes(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const LOOPBACK = ['127.0.0.1', '::1'];

/** URL of the operator's port for browsers on this machine: by a name, because there are no passkeys at addresses. Pure. */
export function adminUrlForBrowsers(admin: Admin): string {
  const isLocal = [...EVERYWHERE, ...LOOPBACK].includes(admin.host);
  return isLocal ? `http://localhost:${admin.port}` : adminUrl(admin);
}

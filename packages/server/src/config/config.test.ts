import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ConfigError, Environment } from './environment.ts';
import { readConfig } from './config.ts';

const folders: string[] = [];
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bidwell-config-'));
  folders.push(path);
  return path;
}

function errorOf(env: Record<string, string>): string {
  try {
    readConfig({ DATA_DIR: folder(), ...env });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was accepted');
}

test('no variable is required', () => {
  const config = readConfig({ DATA_DIR: folder() });
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: undefined,
    databaseUrl: undefined,
    clickhouseUrl: undefined,
    moderation: 'manual',
    captcha: { kind: 'altcha' },
    storePages: true,
    ssoPrivateHosts: new Set(),
    trustProxy: 0,
  });
  expect([...config.roles]).toEqual(['api', 'bidder', 'tracker', 'counter', 'jobs']);
});

test('live updates go to Centrifugo if it is configured, with NATS or without', () => {
  const configOf = (env: Record<string, string>) => readConfig({ DATA_DIR: folder(), ...env });
  expect(configOf({})).toMatchObject({ live: { kind: 'own' }, natsUrl: undefined });
  const natsUrl = 'nats://bidwell:secret@a:4222,nats://b:4222';
  expect(configOf({ NATS_URL: natsUrl })).toMatchObject({ live: { kind: 'own' }, natsUrl });
  const centrifugo = { CENTRIFUGO_URL: 'http://centrifugo:8000/api/', CENTRIFUGO_API_KEY: 'a key' };
  expect(configOf({ NATS_URL: natsUrl, ...centrifugo })).toMatchObject({
    live: { kind: 'centrifugo', url: 'http://centrifugo:8000/api', key: 'a key' },
    natsUrl,
  });
});

test('the number of connections to PostgreSQL follows from the roles unless it is set', () => {
  expect(readConfig({ DATA_DIR: folder() }).databasePoolMax).toBeUndefined();
  expect(readConfig({ DATA_DIR: folder(), DATABASE_POOL_MAX: '8' }).databasePoolMax).toBe(8);
  expect(errorOf({ DATABASE_POOL_MAX: '1' })).toContain('a number of connections, 2 to 100');
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ DATA_DIR: folder(), PORT: '', PUBLIC_URL: '' }).port).toBe(8080);
});

test('the event log limit and the memory limit can be lowered', () => {
  const config = readConfig({ DATA_DIR: folder(), EVENT_LOG_MAX_BYTES: '16777216', MEMORY_MIB: '700' });
  expect(config).toMatchObject({ eventLogMaxBytes: 16 * 1024 ** 2, memoryMib: 700 });
  expect(readConfig({ DATA_DIR: folder() }).eventLogMaxBytes).toBe(1024 ** 3);
});

test('the limits of bundle lists can be changed', () => {
  expect(readConfig({ DATA_DIR: folder() }).bundleBytesMax).toEqual({
    adset: 1024 ** 2,
    company: 16 * 1024 ** 2,
  });
  const config = readConfig({ DATA_DIR: folder(), COMPANY_BUNDLES_MAX_BYTES: '1000000' });
  expect(config.bundleBytesMax.company).toBe(1_000_000);
  expect(errorOf({ ADSET_BUNDLES_MAX_BYTES: '10' })).toContain('a number of bytes, 65536 (64 KiB)');
});

test('the limits of writes, of long responses and of storage have defaults, and can be changed', () => {
  const GIB = 1024 ** 3;
  expect(readConfig({ DATA_DIR: folder(), MEMORY_MIB: '800' })).toMatchObject({
    writesPerMinute: 600,
    responsesMaxBytes: 100 * 1024 ** 2,
    storageQuotaBytes: { before: 2 * GIB, after: 100 * GIB },
  });
  const changed = { WRITES_PER_MINUTE: '50', RESPONSES_MAX_BYTES: '2000000', STORAGE_QUOTA_BYTES: '3000000' };
  expect(readConfig({ DATA_DIR: folder(), ...changed })).toMatchObject({
    writesPerMinute: 50,
    responsesMaxBytes: 2_000_000,
    storageQuotaBytes: { after: 3_000_000 },
  });
  expect(errorOf({ WRITES_PER_MINUTE: '1' })).toContain('a number of calls, 10 to 1000000');
});

test('store pages are not fetched if the operator disables it', () => {
  expect(readConfig({ DATA_DIR: folder(), STORE_PAGES: 'off' }).storePages).toBe(false);
});

test.each([
  ['https://ads.example.com/', 'https://ads.example.com'],
  ['HTTPS://Ads.Example.COM:443//', 'https://ads.example.com'],
  ['http://localhost:08080', 'http://localhost:8080'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://[2001:DB8::1]:8443/', 'https://[2001:db8::1]:8443'],
  ['https://ads.example.com.', 'https://ads.example.com'],
  ['https://ads.example.com.:8443/', 'https://ads.example.com:8443'],
  ['http://192.0.2.1', 'http://192.0.2.1'],
  ['http://ads_1.internal:80', 'http://ads_1.internal'],
])('the public address %s is read as its origin', (PUBLIC_URL, origin) => {
  expect(readConfig({ DATA_DIR: folder(), PUBLIC_URL }).publicUrl).toBe(origin);
  const more = { PUBLIC_URL: 'https://console.example', ASSET_ORIGIN: PUBLIC_URL };
  expect(readConfig({ DATA_DIR: folder(), ...more }).assetOrigin).toBe(origin);
});

const HOST_ALONE =
  'an address that starts with http:// or https://, with a domain or an IP address alone: without a path, a query, a name or a password.';
test.each([
  'https://example.com/ads',
  'https://example.com/ads/',
  'https://example.com/?tenant=a',
  'https://example.com?',
  'https://example.com#console',
  'https://example.com\\ads',
  'https://',
  'https:example.com',
  'https://${DOMAIN}',
  'https://{{domain}}',
  'https://*.example.com',
  'https://example.com,www.example.com',
  'https://example.com;frame-ancestors',
  'https://example..com',
  'https://-example.com',
  `https://${'x'.repeat(64)}.com`,
  'https://example.com:0',
])('an address of this server with more than a host, %s, is rejected', (address) => {
  for (const name of ['PUBLIC_URL', 'ASSET_ORIGIN'])
    expect(errorOf({ [name]: address })).toBe(`${name} is "${address}", but should be ${HOST_ALONE}`);
});

test('addresses of other servers may have a path, and no query', () => {
  const api = { CENTRIFUGO_API_KEY: 'a key', CENTRIFUGO_URL: 'HTTP://centrifugo:8000/api/' };
  expect(readConfig({ DATA_DIR: folder(), ...api }).live).toMatchObject({ kind: 'centrifugo' });
  for (const name of ['CENTRIFUGO_URL', 'S3_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    for (const address of ['http://host:8000/api?key=a', 'http://host#a', 'http://name:word@host/'])
      expect(errorOf({ [name]: address })).toMatch(new RegExp(`^${name} is not valid, .*or a query\\.$`));
});

const wrong: [Record<string, string>, string][] = [
  [{ NODE_ENV: 'staging' }, 'NODE_ENV is "staging", but should be one of development, test, production.'],
  [{ PORT: 'http' }, 'PORT is "http", but should be a port number.'],
  [{ PORT: '80.5' }, 'PORT is "80.5", but should be a port number.'],
  [{ PORT: '-1' }, 'PORT is "-1", but should be a port number.'],
  [{ PORT: '65536' }, 'PORT is "65536", but should be a port number.'],
  [
    { PUBLIC_URL: 'ads.example.com' },
    'PUBLIC_URL is "ads.example.com", but should be an address that starts with http:// or https://, with a domain or an IP address alone: without a path, a query, a name or a password.',
  ],
  [{ MODERATION: 'none' }, 'MODERATION is "none", but should be one of manual, auto.'],
  [{ CAPTCHA: 'hcaptcha' }, 'CAPTCHA is "hcaptcha", but should be one of altcha, recaptcha, off.'],
  [
    { SSO_PRIVATE_HOSTS: 'id.corp.example' },
    'SSO_PRIVATE_HOSTS is "id.corp.example", but should be up to 20 hosts with their port, such as id.corp.example:8443, with commas between.',
  ],
  [{ STORE_PAGES: 'no' }, 'STORE_PAGES is "no", but should be one of on, off.'],
  [
    { EVENT_LOG_MAX_BYTES: '1GB' },
    'EVENT_LOG_MAX_BYTES is "1GB", but should be a number of bytes, 1048576 (1 MiB) to 1099511627776 (1 TiB).',
  ],
  [{ MEMORY_MIB: '1GB' }, 'MEMORY_MIB is "1GB", but should be a whole number of MiB.'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT is not valid, but should be an address that starts with http:// or https://, without a name, a password or a query.',
  ],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG is "2", but should be a number from 0 to 1.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but should be one of silent, error, warn, info, debug.'],
  [
    { CAPTCHA: 'off' },
    'CAPTCHA is "off", which NODE_ENV=production does not allow: set NODE_ENV=development.',
  ],
  [
    { INSTALL_POSTBACK_TEST_KEY: 'MFkw' },
    'INSTALL_POSTBACK_TEST_KEY is set, which NODE_ENV=production does not allow: set NODE_ENV=development.',
  ],
  [
    { NODE_ENV: 'development', INSTALL_POSTBACK_TEST_KEY: 'MFkw' },
    'INSTALL_POSTBACK_TEST_KEY is not valid, but should be a public key of the curve P-256, as SPKI in base64.',
  ],
  [
    { CAPTCHA: 'recaptcha' },
    'CAPTCHA is "recaptcha", which needs RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET_KEY.',
  ],
  [
    { CENTRIFUGO_URL: 'http://centrifugo:8000/api' },
    'CENTRIFUGO_URL is set, which needs CENTRIFUGO_API_KEY.',
  ],
  [{ S3_BUCKET: 'creatives' }, 'S3_BUCKET is set, which needs S3_ENDPOINT.'],
  [
    { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'creatives' },
    'S3_ENDPOINT is set, which needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
  ],
  [
    { S3_PREFIX: '/a//b' },
    'S3_PREFIX is "/a//b", but should be a path such as bidwell/files: letters, digits, dots, hyphens and single slashes.',
  ],
  [
    { FILE_CACHE_MAX_BYTES: '1000' },
    'FILE_CACHE_MAX_BYTES is "1000", but should be a number of bytes, 268435456 (256 MiB) to 1099511627776 (1 TiB).',
  ],
  [
    { ROLES: 'api,bidder' },
    'ROLES can be split only with DATABASE_URL and CLICKHOUSE_URL set: embedded engines admit one process.',
  ],
  [
    {
      ROLES: 'bidder',
      DATABASE_URL: 'postgres://db/bidwell',
      CLICKHOUSE_URL: 'http://clickhouse:8123',
    },
    'ROLES are split, which needs NATS_URL: events go from the trackers to the counters through NATS.',
  ],
];
for (const [env, sentence] of wrong) {
  test(`${Object.entries(env)[0]!.join('=')} is rejected in one sentence`, () => {
    expect(errorOf(env)).toBe(sentence);
  });
}

test.each([
  [{ ROLES: 'api,cook' }, /^ROLES is "api,cook", but should be .*api, bidder, tracker, counter, jobs/],
  [
    { TRUST_PROXY: 'perhaps' },
    /^TRUST_PROXY is "perhaps", but should be the number of proxies in front .*networks/,
  ],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY is "10\.0\.0\.0\/33"/],
  // The whole internet, as one network or as any number of hops.
  [{ TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY/],
  [{ TRUST_PROXY: '99' }, /^TRUST_PROXY/],
])('%o is rejected with the allowed values', (env, sentence) => {
  expect(errorOf(env)).toMatch(sentence);
});

test('a read replica needs a primary', () => {
  expect(errorOf({ DATABASE_REPLICA_URL: 'postgres://replica/bidwell' })).toBe(
    'DATABASE_REPLICA_URL is set, which needs DATABASE_URL: the address of its primary.',
  );
});

test('a cluster of ClickHouse needs the address of one of its servers', () => {
  expect(errorOf({ CLICKHOUSE_CLUSTER: 'main' })).toBe(
    'CLICKHOUSE_CLUSTER is set, which needs CLICKHOUSE_URL: the address of one of its servers.',
  );
  expect(errorOf({ CLICKHOUSE_CLUSTER: "a'b", CLICKHOUSE_URL: 'http://db' })).toMatch(
    /the name of a cluster/,
  );
  const config = readConfig({ DATA_DIR: folder(), CLICKHOUSE_CLUSTER: 'main', CLICKHOUSE_URL: 'http://db' });
  expect(config.clickhouseCluster).toBe('main');
});

test('errors do not repeat values that may contain a secret', () => {
  const holders: Record<string, string>[] = [
    { ACCESS_TOKEN_SECRET: 'hunter2' },
    { OPERATOR_TOKEN: 'hunter2' },
    { DATABASE_URL: 'mysql://root:hunter2@db/bidwell' },
    { DATABASE_REPLICA_URL: 'mysql://root:hunter2@db/bidwell' },
    { CLICKHOUSE_URL: 'tcp://root:hunter2@db' },
    { NATS_URL: 'http://root:hunter2@nats' },
    { CENTRIFUGO_URL: 'http://root:hunter2@centrifugo' },
    { PUBLIC_URL: 'https://root:hunter2@ads.example.com' },
    { OMID_SCRIPT_URL: 'http://root:hunter2@omid.example.com' },
    { S3_ENDPOINT: 'https://root:hunter2@s3.example.com' },
  ];
  for (const env of holders) {
    const sentence = errorOf(env);
    expect(sentence.startsWith(Object.keys(env)[0]!)).toBe(true);
    expect(sentence).not.toContain('hunter2');
  }
});

const external = {
  DATABASE_URL: 'postgres://db/bidwell',
  CLICKHOUSE_URL: 'http://clickhouse:8123',
  NATS_URL: 'nats://nats:4222',
  ACCESS_TOKEN_SECRET: 'a'.repeat(32),
  SIGNING_SECRET: 'b'.repeat(32),
  OPERATOR_TOKEN: 'c'.repeat(32),
  ENCRYPTION_KEYS: 'd'.repeat(32),
};
const s3 = {
  S3_ENDPOINT: 'https://s3.example.com/',
  S3_BUCKET: 'creatives',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test('roles can be split with external databases', () => {
  const { roles } = readConfig({ DATA_DIR: folder(), ROLES: 'api, tracker', ...external });
  expect([...roles]).toEqual(['api', 'tracker']);
});

test('a process that stores or serves uploads apart from the others needs S3', () => {
  for (const [ROLES, name] of [
    ['api,jobs', 'api without tracker'],
    ['bidder,tracker', 'tracker without api'],
  ] as const) {
    expect(errorOf({ ROLES, ...external })).toBe(
      `ROLES has ${name}, which needs S3_ENDPOINT: uploads that are on the disk of another process cannot be served here.`,
    );
    expect(readConfig({ DATA_DIR: folder(), ROLES, ...external, ...s3 }).s3).not.toBeNull();
  }
  expect(readConfig({ DATA_DIR: folder(), ROLES: 'bidder,jobs', ...external }).s3).toBeNull();
});

test('files are stored in S3 if it is configured', () => {
  expect(readConfig({ DATA_DIR: folder() })).toMatchObject({ s3: null, fileCacheMaxBytes: 1024 ** 3 });
  expect(readConfig({ DATA_DIR: folder(), ...s3 }).s3).toEqual({
    endpoint: 'https://s3.example.com',
    bucket: 'creatives',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: '',
  });
  const more = { S3_REGION: 'eu-central-1', S3_PREFIX: 'ads/bidwell', FILE_CACHE_MAX_BYTES: '536870912' };
  expect(readConfig({ DATA_DIR: folder(), ...s3, ...more })).toMatchObject({
    s3: { region: 'eu-central-1', prefix: 'ads/bidwell/' },
    fileCacheMaxBytes: 512 * 1024 ** 2,
  });
});

test('events go through a stream where processes can share databases and NATS; else the tracker is the counter', () => {
  const streamOf = (env: Record<string, string>) => readConfig({ DATA_DIR: folder(), ...env }).eventStream;
  const servers = { DATABASE_URL: 'postgres://db/bidwell', CLICKHOUSE_URL: 'http://clickhouse:8123' };
  const nats = { NATS_URL: 'nats://nats:4222' };
  expect([streamOf({}), streamOf(nats), streamOf(servers)]).toEqual([null, null, null]);
  expect(streamOf({ ...servers, ...nats })).toEqual({ replicas: undefined, bytesMax: undefined });
  const sized = { EVENT_STREAM_REPLICAS: '3', EVENT_STREAM_MAX_BYTES: '1073741824' };
  expect(streamOf({ ...servers, ...nats, ...sized })).toEqual({ replicas: 3, bytesMax: 1024 ** 3 });
  expect(streamOf({ ...servers, ROLES: 'api,bidder,tracker,jobs' })).toBeNull();
});

test('roles cannot be split with generated secrets', () => {
  const dataDir = join(folder(), 'split');
  const split = {
    DATA_DIR: dataDir,
    ROLES: 'bidder',
    DATABASE_URL: 'postgres://db/bidwell',
    CLICKHOUSE_URL: 'http://clickhouse:8123',
    NATS_URL: 'nats://nats:4222',
  };
  expect(errorOf(split)).toBe(
    "ROLES are split, which needs ACCESS_TOKEN_SECRET and SIGNING_SECRET and OPERATOR_TOKEN and ENCRYPTION_KEYS: processes with secrets of their own refuse each other's tokens and notices, and cannot read what another one encrypted.",
  );
  expect(errorOf({ ...split, ACCESS_TOKEN_SECRET: 'a'.repeat(32), OPERATOR_TOKEN: 'c'.repeat(32) })).toMatch(
    /^ROLES are split, which needs SIGNING_SECRET and ENCRYPTION_KEYS:/,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('secrets are generated once, readable by the owner only', () => {
  const dataDir = join(folder(), 'new');
  const first = readConfig({ DATA_DIR: dataDir });
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  const second = readConfig({ DATA_DIR: dataDir });
  const { accessTokenSecret, signingSecret, operatorToken } = first;
  expect(second).toMatchObject({ accessTokenSecret, signingSecret, operatorToken });
  expect(new Set([accessTokenSecret, signingSecret, operatorToken]).size).toBe(3);
  expect(operatorToken.length).toBeGreaterThanOrEqual(32);
  const token = 'x'.repeat(32);
  expect(readConfig({ DATA_DIR: dataDir, OPERATOR_TOKEN: token })).toMatchObject({
    operatorToken: token,
    signingSecret,
  });
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(token);
});

test('encryption keys are generated once, also together with the secrets of an earlier release, or set in order', () => {
  const dataDir = folder();
  const old = {
    accessTokenSecret: 'a'.repeat(40),
    signingSecret: 'b'.repeat(40),
    operatorToken: 'c'.repeat(40),
  };
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(old));
  const { encryptionKeys } = readConfig({ DATA_DIR: dataDir });
  expect(encryptionKeys).toEqual([expect.stringMatching(/^.{32,}$/)]);
  expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({ ...old, encryptionKeys });
  const [first, second] = ['d'.repeat(32), 'e'.repeat(32)];
  const both = { DATA_DIR: dataDir, ENCRYPTION_KEYS: `${first}, ${second}` };
  expect(readConfig(both).encryptionKeys).toEqual([first, second]);
  expect(errorOf({ ...both, ENCRYPTION_KEYS: `${first},short` })).toBe(
    'ENCRYPTION_KEYS is not valid, but should be up to 10 keys of at least 32 characters, with commas between.',
  );
});

test('a measurement script needs a vendor and is loaded over https', () => {
  const script = { OMID_SCRIPT_URL: 'https://measure.example/omid.js', OMID_VENDOR: 'measure.example-omid' };
  expect(readConfig({ DATA_DIR: folder() }).verification).toBeNull();
  expect(readConfig({ DATA_DIR: folder(), ...script }).verification).toEqual({
    vendor: 'measure.example-omid',
    scriptUrl: 'https://measure.example/omid.js',
    parameters: '',
  });
  expect(errorOf({ DATA_DIR: folder(), OMID_VENDOR: 'measure.example-omid' })).toBe(
    'OMID_SCRIPT_URL and OMID_VENDOR belong together: set both, or neither.',
  );
  expect(errorOf({ DATA_DIR: folder(), ...script, OMID_SCRIPT_URL: 'http://measure.example/omid.js' })).toBe(
    'OMID_SCRIPT_URL is "http://measure.example/omid.js", but should be an address that starts with https://.',
  );
});

test('a previous signing secret can be set', () => {
  const previous = 'p'.repeat(32);
  expect(readConfig({ DATA_DIR: folder() }).previousSigningSecret).toBeNull();
  expect(readConfig({ DATA_DIR: folder(), SIGNING_SECRET_PREVIOUS: previous }).previousSigningSecret).toBe(
    previous,
  );
  expect(errorOf({ DATA_DIR: folder(), SIGNING_SECRET_PREVIOUS: 'short' })).toBe(
    'SIGNING_SECRET_PREVIOUS is not valid, but should be at least 32 characters.',
  );
});

test('stored secrets that are broken, empty or short stop the start', () => {
  const empty = { accessTokenSecret: 'a'.repeat(40), signingSecret: 'b'.repeat(40), operatorToken: '' };
  for (const content of ['', '{}', 'null', JSON.stringify(empty)]) {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secrets.json'), content);
    expect(errorOf({ DATA_DIR: dataDir })).toBe(
      `DATA_DIR holds a secrets.json that cannot be read: ${join(dataDir, 'secrets.json')}.`,
    );
  }
});

test('an invalid data folder is named in the error', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, '');
  expect(errorOf({ DATA_DIR: path })).toMatch(/^DATA_DIR is ".*file", but that folder cannot be written: /);
});

test('docs/configuration.md lists the variables of the parser, no others, with their defaults', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\|/gm)].map(
    ([, name, cell]) => [name!, cell!] as const,
  );
  expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  const defaults: Record<string, string | number | readonly string[] | undefined> = Environment.parse({});
  const differing = rows.filter(([name, cell]) => {
    const value = String(defaults[name] ?? '');
    return value === '' ? cell.startsWith('`') : cell.replace(/ \(.*\)$/, '') !== `\`${value}\``;
  });
  expect(differing).toEqual([]);
});

test('mails need an address for their links, and name the sender after it', () => {
  expect(errorOf({ SMTP_URL: 'smtp://user:secret@mail.example' })).toMatch(/needs PUBLIC_URL/);
  expect(errorOf({ SMTP_URL: 'http://mail:secret@mail.example' })).toMatch(/^SMTP_URL is not valid/);
  expect(errorOf({ MAIL_FROM: 'ann@example.com' })).toMatch(/needs SMTP_URL/);
  expect(errorOf({ OPERATOR_ALERT_MAIL: 'ann@example.com' })).toMatch(/needs SMTP_URL/);
  const env = { SMTP_URL: 'smtps://mail.example', PUBLIC_URL: 'https://ads.example', DATA_DIR: folder() };
  expect(readConfig(env).mail).toEqual({
    url: 'smtps://mail.example',
    from: 'Bidwell <no-reply@ads.example>',
  });
});

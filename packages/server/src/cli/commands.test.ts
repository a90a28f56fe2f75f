import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { appBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { OperatorError, createClient, takeKey } from './client.ts';
import { commandIn, commands, helpOf, usage } from './commands.ts';

const app = await testApp();

let url = '';
beforeAll(async () => {
  await app.listen();
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});

const printed: string[] = [];
const said: string[] = [];
vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(values.join(' ')));
vi.spyOn(console, 'table').mockImplementation((rows) => void printed.push(JSON.stringify(rows)));
afterEach(() => {
  printed.length = 0;
  said.length = 0;
});

/** Runs a command and returns its output. */
async function run(...words: string[]): Promise<string> {
  printed.length = 0;
  const { command, args } = commandIn(words)!;
  const { key = uuidv7(), rest } = takeKey(args);
  const client = createClient(url, app.ctx.config.operatorToken, { key, say: (line) => said.push(line) });
  await command.run(client, rest);
  return printed.join('\n');
}

const balance = async (company: {
  call: (method: 'GET', path: string) => Promise<{ data: { balance: number } }>;
}) => (await company.call('GET', '/finance/balance')).data.balance;

test('credits and debits are made from the command line', async () => {
  const company = await app.freshCompany();
  const to = ['--company', company.companyId];
  expect(await run('credit', ...to, '--amount', '500', '--reason', 'Trial')).toBe('Credited $500.00.');
  expect(await run('debit', ...to, '--amount', '0.5', '--reason', 'Correction')).toBe('Debited $0.50.');
  expect(await balance(company)).toBe(499.5);
  const companies = await run('companies');
  expect(companies).toContain(company.companyId);
  expect(companies).toContain('499.5');
  expect(await run('companies', '--search', company.companyId)).toContain(company.companyId);
  expect(await run('companies', '--search', 'nobody of this name')).not.toContain(company.companyId);
});

test('a device is erased from the command line, which never prints its id', async () => {
  const id = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
  const asked = await run('erase-device', id);
  const [, hash] = /in the audit log as ([\da-f]{64})\./.exec(asked) ?? [];
  const listed = await run('erasures');
  expect(listed).toContain('"finished":"not yet"');
  const { acts } = (await app.operator('GET', '/acts')).data;
  expect(acts[0]).toMatchObject({ action: 'Asked to erase', entity: 'device', name: hash });
  expect(asked + listed).not.toContain(id);
  const [, uuid] = /Erasure ([\da-f-]{36}),/.exec(asked) ?? [];
  expect(await run('revoke-erasure', uuid!)).toContain('what was deleted stays deleted');
  expect(await run('erasures')).not.toContain('"revoked":"no"');
  await expect(run('revoke-erasure')).rejects.toThrow('Which erasure? Give its id.');
  await expect(run('erase-device', 'id-1234')).rejects.toThrow('device: An id has at least 8 characters');
});

test('missing options and invalid amounts are reported before anything changes', async () => {
  const company = await app.freshCompany();
  const to = ['--company', company.companyId];
  await expect(run('credit', ...to, '--amount', '5')).rejects.toThrow('--reason is missing.');
  for (const amount of ['much', '-5', '0', 'NaN', 'Infinity', '1,000'])
    await expect(run('credit', ...to, `--amount=${amount}`, '--reason', 'x')).rejects.toThrow(
      `"${amount}" is not an amount in dollars.`,
    );
  await expect(run('credit', '--company', 'x', '--amount', '5', '--reason', 'x')).rejects.toThrow(
    OperatorError,
  );
  await expect(run('credit', ...to, '--much', '5')).rejects.toThrow(TypeError);
  const twice = ['--amount', '5', '--amount', '6', '--reason', 'x'];
  await expect(run('credit', ...to, ...twice)).rejects.toThrow('--amount is given more than once.');
  const long = 'x'.repeat(1001);
  await expect(run('credit', ...to, '--amount', '5', '--reason', long)).rejects.toThrow('--reason: At most');
  expect(await balance(company)).toBe(0);
});

test('moderation is listed and decided', async () => {
  const company = await app.freshCompany();
  const good = await make(company, '/app', appBody({ name: 'Good' }));
  const bad = await make(company, '/app', appBody({ name: 'Bad' }));
  expect(await run('moderation')).toContain(good);
  expect(await run('approve', good)).toBe('Approved app “Good”.');
  await expect(run('reject', bad)).rejects.toThrow('--reason is missing.');
  expect(await run('reject', bad, '--reason', 'Broken link')).toBe('Rejected app “Bad”.');
  expect((await company.call('GET', `/app/${good}`)).data.status).toBe('Approved');
  expect((await company.call('GET', `/app/${bad}`)).data.status).toBe('Rejected');
  await expect(run('approve', good)).rejects.toThrow('Nothing with this id is waiting for moderation.');
  await expect(run('approve')).rejects.toThrow('Which one? Give its id.');
  expect(await run('moderation')).toBe('Nothing is waiting for moderation.');
});

test('approve all approves everything that is waiting', async () => {
  const company = await app.freshCompany();
  for (const name of ['One', 'Two']) await make(company, '/app', appBody({ name }));
  const lines = await run('approve', 'all');
  expect(lines).toContain('Approved app “One”.');
  expect(lines).toContain('Approved app “Two”.');
  expect(await run('moderation')).toBe('Nothing is waiting for moderation.');
});

test('the ledger is checked, and discrepancies end the command with an error', async () => {
  const company = await app.freshCompany();
  await run('credit', '--company', company.companyId, '--amount', '12.5', '--reason', 'Trial');
  expect(await run('check-ledger')).toMatch(
    /^The ledger is consistent: \d+ transactions, \d+ entries, balances of \$\d+\.\d\d\.$/,
  );
  const entries = app.ctx.db.updateTable('ledger_entries').where('company_uuid', '=', company.companyId);
  await entries.where('account', '=', 'wallet').set({ amount_micros: 1 }).execute();
  await expect(run('check-ledger')).rejects.toThrow(/^Discrepancies in the ledger: 2 /);
  expect(printed.join()).toContain(company.companyId);
  await entries.where('account', '=', 'wallet').set({ amount_micros: 12_500_000 }).execute();
  expect(await run('check-ledger')).toContain('The ledger is consistent');
});

test('a company is suspended and resumed', async () => {
  const { companyId } = await app.freshCompany();
  expect(await run('suspend', companyId)).toBe('Suspended.');
  expect((await app.operator('GET', `/companies/${companyId}`)).data.suspended).toBe(true);
  expect(await run('suspend', companyId, '--reason', 'Unpaid')).toBe('Suspended.');
  expect((await app.operator('GET', `/companies/${companyId}`)).data.suspension_reason).toBe('Unpaid');
  expect(await run('resume', companyId)).toBe('Resumed.');
  expect((await app.operator('GET', `/companies/${companyId}`)).data.suspended).toBe(false);
});

test('a company gets a mail domain without a DNS record, which is of one company', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const prove = (companyId: string) => run('prove-domain', companyId, '--domain', 'Corp.example');
  expect(await prove(company.companyId)).toBe('corp.example is proven.');
  const { domains } = (await company.call('GET', '/sso')).data;
  expect(domains).toMatchObject([{ domain: 'corp.example', verified_at: expect.any(String) }]);
  await expect(prove(other.companyId)).rejects.toThrow('Another company has proven this domain');
  const { acts } = (await app.operator('GET', `/acts?company_uuid=${company.companyId}`)).data;
  expect(acts[0]).toMatchObject({ company_uuid: company.companyId, after: { sso_domain: 'corp.example' } });
});

test('top-ups are confirmed and declined', async () => {
  const company = await app.freshCompany();
  expect(await run('top-ups')).toBe('None.');
  const yes = (await company.call('POST', '/finance/top_up', { amount: 10 })).data.uuid;
  const no = (await company.call('POST', '/finance/top_up', { amount: 20 })).data.uuid;
  expect(await run('top-ups')).toContain(yes);
  expect(await run('confirm', yes)).toBe('Confirmed.');
  expect(await run('decline', no)).toBe('Declined.');
  expect(await balance(company)).toBe(10);
  await expect(run('confirm', no)).rejects.toThrow('This top-up is declined already');
});

test('exchanges are added and changed, and absent settings keep their value', async () => {
  expect(await run('ssp', 'add', 'alpha', '--name', 'Alpha', '--charge-on', 'win')).toMatch(
    /^Saved. Its bid requests go to http:\/\/bidwell\.test\/openrtb\/alpha\/[\w-]{32}$/,
  );
  await run('ssp', 'set', 'alpha', '--active', 'false');
  expect(JSON.parse(await run('ssp', 'list'))).toMatchObject([
    { slug: 'alpha', name: 'Alpha', charge_on: 'win', active: false },
  ]);
  await expect(run('ssp', 'add', 'alpha')).rejects.toThrow('The exchange alpha already exists: use ssp set.');
  await expect(run('ssp', 'set', 'beta')).rejects.toThrow('There is no exchange beta: use ssp add.');
  await expect(run('ssp', 'set', 'alpha', '--active', 'yes')).rejects.toThrow('--active is true or false.');
  expect(commandIn(['ssp', 'remove', 'alpha'])).toBeUndefined();
});

test('an exchange with a setting of an earlier profile shows the present statement of its documentation', async () => {
  const advice =
    /^Its charge_on is win; its documentation says billing now: .*\(https:\/\/docs\.unity\.com\/.*\) To follow it: ssp set unity --charge-on billing$/m;
  expect(await run('ssp', 'add', 'unity', '--charge-on', 'win')).toMatch(advice);
  expect(await run('ssp', 'set', 'unity', '--timeout-ms', '200')).toMatch(advice);
  const listed = async () =>
    (JSON.parse(await run('ssp', 'list')) as { slug: string }[]).find(({ slug }) => slug === 'unity');
  expect(await listed()).toMatchObject({
    charge_on: 'win',
    profile_changes: [{ field: 'charge_on', setting: 'win', documented: 'billing' }],
  });
  expect(await run('ssp', 'set', 'unity', '--charge-on', 'billing')).not.toMatch('documentation');

  expect(await run('ssp', 'add', 'lovin', '--profile', 'applovin')).not.toMatch('documentation');
  expect(await run('ssp', 'list')).toMatch(/"answer_bytes_max": ?4096/);
  await expect(run('ssp', 'add', 'adx', '--profile', 'google')).rejects.toThrow(
    'Encrypted prices need the encryption key of the exchange (--price-encryption-key, --price-integrity-key)',
  );
  expect(await listed()).toMatchObject({ charge_on: 'billing', profile_changes: [] });
});

test('every setting of an exchange can be set, and numbers can be cleared', async () => {
  const settings = ['--charge-on', 'first', '--auction-type', 'first', '--timeout-ms', '80'];
  const macros = ['--click-macro', '%%CLICK%%', '--price-macro', '%%PRICE%%', '--loss-macro', '%%LOSS%%'];
  const guards = ['--requests-per-second', '500', '--secret', 'a-secret-of-sixteen'];
  const more = ['--answer-bytes-max', '4096', '--seat', 'Seat-7'];
  expect(await run('ssp', 'add', 'gamma', ...settings, ...macros, ...guards, ...more)).toBe(
    'Saved. Its bid requests go to http://bidwell.test/openrtb/gamma/a-secret-of-sixteen',
  );
  const gamma = async () => {
    const all = JSON.parse(await run('ssp', 'list')) as { slug: string }[];
    return all.find(({ slug }) => slug === 'gamma');
  };
  expect(await gamma()).toMatchObject({
    name: 'gamma',
    charge_on: 'first',
    auction_type: 'first',
    timeout_ms: 80,
    click_macro: '%%CLICK%%',
    price_macro: '%%PRICE%%',
    loss_macro: '%%LOSS%%',
    requests_per_second: 500,
    secret: 'a-secret-of-sixteen',
    answer_bytes_max: 4096,
    seat: 'Seat-7',
    open: false,
  });
  await run('ssp', 'set', 'gamma', '--timeout-ms', 'none', '--answer-bytes-max', 'none');
  expect(await gamma()).toMatchObject({ timeout_ms: null, answer_bytes_max: null, requests_per_second: 500 });
  await expect(run('ssp', 'set', 'gamma', '--timeout-ms', 'soon')).rejects.toThrow(
    '--timeout-ms is a whole number in digits, such as 500, or none.',
  );
  await expect(run('ssp', 'add', 'Bad Slug')).rejects.toThrow(/^The id of an exchange: /);
});

test('billing ids of a company at an exchange are set, listed and removed', async () => {
  const company = await app.freshCompany();
  await run('ssp', 'add', 'google');
  expect(await run('ssp', 'billing-ids', 'google')).toBe('None.');
  const set = async (ids: string) =>
    run('ssp', 'billing-ids', 'google', '--company', company.companyId, '--ids', ids);
  expect(await set('43,42')).toMatch(/ has 42, 43 at google\.$/);
  expect(JSON.parse(await run('ssp', 'billing-ids', 'google'))).toMatchObject([
    { company_uuid: company.companyId, billing_ids: ['42', '43'] },
  ]);
  await expect(set('one')).rejects.toThrow('--ids: A number of at most 20 digits');
  await expect(run('ssp', 'billing-ids', 'google', '--ids', '42')).rejects.toThrow('are given together');
  expect(await set('none')).toMatch(/ has no billing ids at google\.$/);
});

test('a secret is replaced with a day in which both are valid, or at once; an open exchange causes a warning', async () => {
  await run('ssp', 'add', 'delta');
  expect(await run('ssp', 'rotate', 'delta')).toMatch(
    /^Its bid requests go to http:\/\/bidwell\.test\/openrtb\/delta\/[\w-]{32} from now on\.\nThe old address works until 20\d\d-.*\.$/,
  );
  expect(await run('ssp', 'rotate', 'delta', '--end-old', 'true')).toMatch(
    /The old address no longer works\.$/,
  );
  await expect(run('ssp', 'rotate', 'delta', '--end-old', 'maybe')).rejects.toThrow(
    '--end-old is true or false.',
  );
  await expect(run('ssp', 'rotate', 'nobody')).rejects.toThrow('Exchange not found');
  expect(await run('ssp', 'set', 'delta', '--open', 'true')).toContain(
    'It is open: anyone who knows /openrtb/delta can fetch bids in its name and have them charged.',
  );
});

test('currency rates are set and listed', async () => {
  expect(await run('rates')).toBe('Only US dollars: no other rates are set.');
  expect(await run('rates', 'set', 'EUR', '--dollars', '1.08')).toBe('One EUR is 1.08 dollars.');
  expect(JSON.parse(await run('rates'))).toEqual([{ currency: 'EUR', dollars: 1.08 }]);
  await expect(run('rates', 'set', 'EUR')).rejects.toThrow('--dollars is missing.');
  await expect(run('rates', 'remove', 'EUR')).rejects.toThrow('"remove" is an argument too many.');
  await expect(run('rates', 'set', 'EUR', '--dollars=-1')).rejects.toThrow(
    '"-1" is not an amount in dollars.',
  );
});

test('a wrong token and an unreachable server are reported in a sentence', async () => {
  const wrong = createClient(url, 'x'.repeat(40));
  await expect(commands['companies']!.run(wrong, [])).rejects.toThrow(
    `The operator token is wrong. The server is at ${url}.`,
  );
  const nowhere = createClient('http://127.0.0.1:1', 'x');
  await expect(commands['companies']!.run(nowhere, [])).rejects.toThrow(
    'No server answers at http://127.0.0.1:1',
  );
});

test('a response that its endpoint does not declare is rejected with a message', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(
    Response.json({ data: { companies: [{ name: 'One' }] } }),
  );
  await expect(run('companies')).rejects.toThrow(
    'The server’s response cannot be read. Are the command line and the server of the same version?',
  );
});

test('a command that writes prints its key, and is carried out once per key', async () => {
  const company = await app.freshCompany();
  const args = ['--company', company.companyId, '--amount', '20', '--reason', 'Trial'];
  await run('companies');
  expect(said).toEqual([]);
  const under = ['--idempotency-key', 'transfer-4711'];
  for (let count = 0; count < 10; count += 1)
    expect(await run('credit', ...args, ...under)).toBe('Credited $20.00.');
  expect(said.slice(0, 3)).toEqual([
    'Idempotency-Key: transfer-4711',
    'Idempotency-Key: transfer-4711',
    'A command with this key was already carried out; nothing was done again.',
  ]);
  expect(await balance(company)).toBe(20);
  const more = ['--company', company.companyId, '--amount', '30', '--reason', 'Trial'];
  await expect(run('credit', ...more, ...under)).rejects.toThrow('was used with another request');
  await run('credit', ...args);
  expect(await balance(company)).toBe(40);
});

test('approve all can be repeated with its key after more entities came', async () => {
  const company = await app.freshCompany();
  const under = ['--idempotency-key', 'approve-today'];
  await make(company, '/app', appBody());
  await run('approve', 'all', ...under);
  await make(company, '/app', appBody());
  expect(await run('approve', 'all', ...under)).toContain('Approved app');
});

test('a write without a response says how to repeat it', async () => {
  const nowhere = createClient('http://127.0.0.1:1', 'x', { key: 'k', say: () => {} });
  await expect(commands['suspend']!.run(nowhere, [uuidv7()])).rejects.toThrow(
    'Repeat the command with --idempotency-key k: it is carried out once at most.',
  );
});

test.each([
  [['--idempotency-key=a', 'b'], { key: 'a', rest: ['b'] }],
  [['a', '--idempotency-key', 'b', 'c'], { key: 'b', rest: ['a', 'c'] }],
  [['a'], { rest: ['a'] }],
])('the key is taken from %j', (args, taken) => {
  expect(takeKey(args)).toEqual(taken);
});

test.each([[['--idempotency-key']], [['--idempotency-key', 'with space']], [['--idempotency-key=']]])(
  'an invalid key is rejected: %j',
  (args) => {
    expect(() => takeKey(args)).toThrow('--idempotency-key takes 1 to 200 visible ASCII characters.');
  },
);

test('the usage lists every command, with the options that its call takes', () => {
  for (const name of Object.keys(commands)) expect(usage()).toContain(`\n  ${name}`);
  expect(usage()).toContain('\n  credit --company TEXT --amount N --reason TEXT\n      Credit a company\n');
  expect(helpOf({ name: 'check-ledger', command: commands['check-ledger']! })).toMatch(/^ {2}check-ledger\n/);
  expect(usage()).toContain(' [--charge-on billing|win|impression|first] ');
});

test('the list of operators says who has not set up an authenticator app', async () => {
  const login = 'vera.without.app';
  await run('add-operator', '--login', login, '--name', 'Vera', '--role', 'viewer');
  const [row] = (JSON.parse(await run('operators')) as { login: string }[]).filter(
    (operator) => operator.login === login,
  );
  expect(row).toMatchObject({ authenticator: 'not set up' });
  await expect(run('add-operator', '--login', login, '--name', '')).rejects.toThrow('--name is empty.');
});

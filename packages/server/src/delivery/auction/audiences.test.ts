import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { runs } from '@bidwell/testing/whole-run';
import { digestOfId } from '../audiences/id-digest.ts';
import { importIds } from '../audiences/import/import-worker.ts';
import { type LoadedAudiences, loadAudiences } from '../audiences/loaded-audiences.ts';
import { explain } from '../funnel/explain.ts';
import { exitAt } from '../funnel/exits.ts';
import { ID_HASHES } from '../model/audience.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { type UsedAudiences, audiencesOfAdset } from '../snapshot/audience-store.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { runToCompletion } from '../../platform/concurrency/yielding.ts';
import { runAuction } from './auction.ts';

const folder = await mkdtemp(join(tmpdir(), 'audiences-'));
afterAll(async () => rm(folder, { recursive: true }));

const PEOPLE = Array.from(
  { length: 8 },
  (_, number) => `6d92078a-8246-4ba4-ae5b-76104861e7${String(number).padStart(2, '0')}`,
);
const INSTALLED = 'installed';
const NAMES = ['a', 'b', 'c', INSTALLED];

/** A list as an advertiser may send it: the form of its ids, the letters that were hashed, and what is said about these. */
interface List {
  ids: string[];
  form: 'plain' | 'no hyphens' | 'md5' | 'sha1' | 'sha256';
  hashed: 'lower' | 'upper';
  isCaseKnown: boolean;
  isWrittenUpper: boolean;
}

const lists = fc.record<List>({
  ids: fc.subarray(PEOPLE, { minLength: 1 }),
  form: fc.constantFrom('plain', 'no hyphens', 'md5', 'sha1', 'sha256'),
  hashed: fc.constantFrom('lower', 'upper'),
  isCaseKnown: fc.boolean(),
  isWrittenUpper: fc.boolean(),
});

const cased = (text: string, isUpper: boolean) => (isUpper ? text.toUpperCase() : text.toLowerCase());

function writtenId(id: string, { form, hashed, isWrittenUpper }: List): string {
  if (form === 'plain') return cased(id, isWrittenUpper);
  if (form === 'no hyphens') return cased(id.replaceAll('-', ''), isWrittenUpper);
  return cased(
    createHash(form)
      .update(cased(id, hashed === 'upper'))
      .digest('hex'),
    isWrittenUpper,
  );
}

/** Imports lists as the server does, and loads them as a bidder does. */
async function loaded(all: readonly List[]): Promise<{ audiences: LoadedAudiences; used: UsedAudiences }> {
  const [input, output] = [join(folder, 'input'), (name: string) => join(folder, name)];
  for (const [at, list] of all.entries()) {
    const { form, hashed, isCaseKnown } = list;
    await writeFile(input, list.ids.map((id) => writtenId(id, list)).join('\n'));
    const outcome = await importIds({
      input,
      digestKind: null,
      previous: null,
      output: output(NAMES[at]!),
      mode: 'replace',
      form: form === 'no hyphens' ? 'plain' : form,
      letters: isCaseKnown ? hashed : 'either',
      sizeMax: 1000,
      bytesMax: 1e6,
      mayHaveHead: true,
      mayBeCut: false,
    });
    expect(outcome).toMatchObject({ result: { report: { size_after: list.ids.length } } });
  }
  const files = { read: (name: string) => Readable.from(createReadStream(output(name))) };
  const audiences = loadAudiences({ files, log: pino({ level: 'silent' }), bytesMax: 1e6 });
  const stored = NAMES.map((uuid) => ({ uuid, fileUuid: uuid, size: 1 }));
  audiences.use(stored);
  await audiences.settled();
  const byUuid = new Map(stored.map((one) => [one.uuid, one]));
  return { audiences, used: { byUuid, installed: new Map([['app', byUuid.get(INSTALLED)!]]) } };
}

const choices = fc.record({
  include: fc.array(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), { maxLength: 2 }),
  exclude: fc.subarray(['a', 'b', 'c']),
});
const adsets = fc.record({
  own: choices,
  target: choices,
  withoutId: fc.constantFrom('bid' as const, 'skip' as const),
  excludesInstalled: fc.boolean(),
});

/** Why a person cannot be looked up; null for one who can. */
const REFUSALS = {
  none: {},
  'limited ad tracking': { device: { lmt: 1 } },
  'no consent': { regs: { ext: { gdpr: 1 } } },
  child: { regs: { coppa: 1 } },
  'opt-out': { regs: { ext: { us_privacy: '1YYN' } } },
};
const requests = fc.record({
  id: fc.constantFrom(...PEOPLE, ''),
  isUpper: fc.boolean(),
  refusal: fc.constantFrom(...(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]), 'none' as const),
});

test('no one in an excluded audience gets a bid, nor without consent anyone of an included one, and everyone else does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lists, { minLength: NAMES.length, maxLength: NAMES.length }),
      fc.array(adsets, { minLength: 1, maxLength: 4 }),
      fc.array(requests, { minLength: 1, maxLength: 12 }),
      async (all, drawn, people) => {
        const { audiences, used } = await loaded(all);
        for (const { own, target, withoutId, excludesInstalled } of drawn) {
          const compiled = audiencesOfAdset(
            {
              appId: 'app',
              campaignKind: 'acquisition',
              audienceInclude: own.include,
              audienceExclude: own.exclude,
              audienceWithoutId: withoutId,
              excludesInstalled,
              multipliers: [],
              target: { audience_include: target.include, audience_exclude: target.exclude },
            },
            used,
          );
          const snapshot = compileSnapshot([adsetRowOf(compiled)], audiences);
          const groups = [...own.include, ...target.include];
          const excluded = [...own.exclude, ...target.exclude, ...(excludesInstalled ? [INSTALLED] : [])];
          for (const { id, isUpper, refusal } of people) {
            const isIn = (name: string) => all[NAMES.indexOf(name)]!.ids.includes(id);
            const canLookUp = id !== '' && refusal === 'none';
            const isReached = canLookUp
              ? !excluded.some(isIn) && groups.every((group) => group.some(isIn))
              : groups.length === 0 && (excluded.length === 0 || withoutId === 'bid');
            const { device = {}, ...signals } = REFUSALS[refusal] as { device?: object };
            const request = readBidRequest(
              {
                id: 'r',
                imp: [{ id: '1', banner: { w: 320, h: 50 } }],
                app: { bundle: 'com.publisher' },
                device: { os: 'Android', geo: { country: 'USA' }, ifa: cased(id, isUpper), ...device },
                ...signals,
              },
              'sample',
            )!;
            const context = {
              nowMs: Date.parse('2026-05-04T12:00:00Z'),
              random: () => 0,
              newBidId: () => 'bid',
              noBidReason: () => null,
              exhausted: null,
              valuation: plainValuation(),
              chargeOn: 'billing' as const,
              secure: true,
            };
            const { bids, reason } = runAuction(request, snapshot, context);
            expect(bids.length).toBe(isReached ? 1 : 0);
            if (isReached) continue;
            const { exits } = runToCompletion(
              explain(request, snapshot, reason!, { ...context, paceOf: () => null }),
            );
            expect(exitAt(exits[0]!)).toBe(reason);
          }
        }
      },
    ),
    runs(200),
  );
});

/** The most lists by which an ad set, its target and its app exclude people, and the ids of each. */
const EXCLUDED_MAX = 101;
const IDS_MAX = 10_000_000;

test('an ad set wrongly leaves out less than one person in 10^9', () => {
  // A person is wrongly found where one of the two digests of their id equals one of a list. The digests are 64 bits of hashes, so the rate is
  // the number of digests by 2^64, if each half of them is uniform: of n ids, pairs with an equal half are then as rare as chance makes them.
  expect((2 * EXCLUDED_MAX * IDS_MAX) / 2 ** 64).toBeLessThan(1e-9);
  const count = 30_000;
  const ids = Array.from(
    { length: count },
    (_, number) => `6d92078a-8246-4ba4-ae5b-${String(number).padStart(12, '0')}`,
  );
  let pairs = 0;
  let wholePairs = 0;
  for (const hash of ID_HASHES) {
    const digests = ids.map((id) => digestOfId(hash, id));
    pairs += count - new Set(digests.map(({ low }) => low)).size;
    pairs += count - new Set(digests.map(({ high }) => high)).size;
    wholePairs += count - new Set(digests.map(({ low, high }) => `${low} ${high}`)).size;
  }
  const expected = (2 * ID_HASHES.length * (count * (count - 1))) / 2 / 2 ** 32;
  expect(pairs).toBeLessThan(expected + 5 * Math.sqrt(expected) + 1);
  expect(wholePairs).toBe(0);
});

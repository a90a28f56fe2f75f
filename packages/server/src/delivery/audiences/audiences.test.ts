import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { type AudienceHeader, DamagedAudience, headerOf, readAudience } from './audience-file.ts';
import { hasDigest } from './digest-search.ts';
import { digestOfId } from './id-digest.ts';
import { loadAudiences } from './loaded-audiences.ts';

const log = pino({ level: 'silent' });

/** The file of digests, each a number of 64 bits. */
function fileOf(digests: Iterable<bigint>, kind: Partial<AudienceHeader> = {}): Buffer {
  const words = BigUint64Array.from(new Set(digests)).sort();
  const body = Buffer.from(words.buffer);
  const header = headerOf({ hash: 'sha256', letters: 'lower', ...kind, count: words.length }, [body]);
  return Buffer.concat([header, body]);
}

/** A digest as a number, by another way than the code: the first 16 digits of the hash. */
const numberOf = (id: string, hash = 'sha256'): bigint =>
  BigInt(`0x${createHash(hash).update(id).digest('hex').slice(0, 16)}`);

async function* inParts(file: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += bytes) yield file.subarray(at, at + bytes);
}

const digest = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  // Close together, unlike hashes: someone may send such a list.
  fc.bigInt({ min: 0n, max: 60n }),
  fc.bigInt({ min: 2n ** 64n - 60n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 2n ** 32n - 20n, max: 2n ** 32n + 20n }),
);

test('the look-up says the same as a set, for any list and in any parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(digest, { maxLength: 400 }),
      fc.array(digest, { maxLength: 50 }),
      fc.integer({ min: 1, max: 300 }),
      async (list, others, partBytes) => {
        const { words, count } = await readAudience(inParts(fileOf(list), partBytes));
        const set = new Set(list);
        expect(count).toBe(set.size);
        for (const one of [...list, ...others])
          expect(hasDigest(words, Number(one & 0xffff_ffffn), Number(one >> 32n))).toBe(set.has(one));
      },
    ),
    runs(200),
  );
});

test('a long list has each of its ids, and none of as many others', async () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const ids = Array.from({ length: 20_000 }, (_, number) => idOf(number));
  const { words } = await readAudience(inParts(fileOf(ids.map((id) => numberOf(id))), 65_536));
  const isIn = (id: string) => {
    const { low, high } = digestOfId('sha256', id);
    return hasDigest(words, low, high);
  };
  expect(ids.filter((id) => !isIn(id))).toEqual([]);
  expect(ids.filter((_, number) => isIn(idOf(number + 20_000)))).toEqual([]);
});

test('a file that is cut off, too long, changed or of a later release is not read', async () => {
  const file = fileOf([1n, 2n, 3n]);
  const changed = (at: number) => {
    const copy = Buffer.from(file);
    copy[at]! ^= 1;
    return copy;
  };
  const faulty = [
    Buffer.alloc(0),
    file.subarray(0, 40),
    file.subarray(0, file.length - 1),
    Buffer.concat([file, Buffer.alloc(8)]),
    ...Array.from({ length: 56 }, (_, at) => changed(at)),
    changed(file.length - 1),
  ];
  for (const one of faulty) await expect(readAudience(inParts(one, 13))).rejects.toThrow(DamagedAudience);
});

const ID = '6D92078A-8246-4BA4-AE5B-76104861E7DC';

test.each([
  ['md5', 'lower'],
  ['md5', 'upper'],
  ['sha1', 'either'],
  ['sha256', 'lower'],
  ['sha256', 'either'],
] as const)(
  'an id is found in a list of %s of %s case, however the request writes it',
  async (hash, letters) => {
    const spelt = letters === 'upper' ? ID : ID.toLowerCase();
    const loaded = await withFiles({ a: fileOf([numberOf(spelt, hash)], { hash, letters }) }, ['a']);
    for (const id of [ID, ID.toLowerCase()]) expect(loaded.membershipsOf(id).of('a')).toBe('in');
    expect(loaded.membershipsOf(ID.replace('6', '7')).of('a')).toBe('out');
  },
);

/** The audiences of these files, loaded. */
async function withFiles(files: Record<string, Buffer>, uuids: string[], bytesMax = 1e6) {
  const loaded = loadAudiences({ files: { read: (key) => Readable.from([files[key]!]) }, log, bytesMax });
  loaded.use(uuids.map((uuid) => ({ uuid, fileUuid: uuid, size: files[uuid]!.length })));
  await loaded.settled();
  return loaded;
}

test('an audience keeps its ids until its next file is read whole; one that is not in use leaves memory', async () => {
  const files: Record<string, Buffer> = {
    first: fileOf([numberOf(ID.toLowerCase())]),
    broken: fileOf([1n]).subarray(0, 66),
    next: fileOf([]),
  };
  const loaded = loadAudiences({
    files: { read: (key) => Readable.from([files[key]!]) },
    log,
    bytesMax: 1e6,
  });
  const use = async (fileUuid: string | null) => {
    loaded.use([{ uuid: 'a', fileUuid, size: 1 }]);
    await loaded.settled();
    return loaded.membershipsOf(ID).of('a');
  };
  expect(loaded.membershipsOf(ID).of('a')).toBe('not_loaded');
  expect(await use('first')).toBe('in');
  expect(await use('broken')).toBe('in');
  expect(loaded.bytes()).toBe(8);
  expect(await use('next')).toBe('out');
  expect(await use('first')).toBe('in');
  expect(await use(null)).toBe('out');
  await use('first');
  loaded.use([]);
  expect([loaded.bytes(), loaded.membershipsOf(ID).of('a')]).toEqual([0, 'not_loaded']);
});

test('a new file that does not fit next to the old one takes its place, and no one is looked up in the old one', async () => {
  const many = (count: number) => fileOf(Array.from({ length: count }, (_, number) => BigInt(number)));
  const files: Record<string, Buffer> = { old: many(10), fits: many(15), long: many(100) };
  const loaded = loadAudiences({
    files: { read: (key) => Readable.from([files[key]!]) },
    log,
    bytesMax: 160,
  });
  const after = async (fileUuid: string) => {
    loaded.use([{ uuid: 'one', fileUuid, size: 1 }]);
    await loaded.settled();
    return [loaded.bytes(), loaded.missing()];
  };
  expect(await after('old')).toEqual([80, 0]);
  expect(await after('fits')).toEqual([120, 0]);
  expect(await after('long')).toEqual([0, 1]);
  expect(loaded.membershipsOf(ID).of('one')).toBe('not_loaded');
  await loaded.close();
});

test('what does not fit in memory is left out: the largest first', async () => {
  const many = Array.from({ length: 100 }, (_, number) => BigInt(number));
  const files = { large: fileOf(many), small: fileOf([numberOf(ID.toLowerCase())]) };
  const loaded = await withFiles(files, ['large', 'small'], 200);
  const memberships = loaded.membershipsOf(ID);
  expect([memberships.of('small'), memberships.of('large')]).toEqual(['in', 'not_loaded']);
  expect([loaded.missing(), loaded.bytes()]).toEqual([1, 8]);
});

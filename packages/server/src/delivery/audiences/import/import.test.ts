import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { readAudience } from '../audience-file.ts';
import { DigestList, TooManyDigests } from './digest-list.ts';
import { type ImportTask, importIds } from './import-worker.ts';
import { ListReader } from './list-reader.ts';

const folder = await mkdtemp(join(tmpdir(), 'audiences-'));
afterAll(async () => rm(folder, { recursive: true }));
const [input, output, previous] = ['input', 'output', 'previous'].map((name) => join(folder, name));

async function imported(content: string | Buffer, over: Partial<ImportTask> = {}) {
  await writeFile(input!, content);
  const outcome = await importIds({
    input: input!,
    digestKind: null,
    previous: null,
    output: output!,
    mode: 'replace',
    form: 'auto',
    letters: 'either',
    sizeMax: 1000,
    bytesMax: 1e6,
    mayHaveHead: true,
    mayBeCut: false,
    ...over,
  });
  if ('fault' in outcome) return outcome;
  const { words, hash, letters } = await readAudience(createReadStream(over.output ?? output!));
  const digests = [...new BigUint64Array(words.buffer)].map((one) => one.toString(16).padStart(16, '0'));
  return { digests, hash, letters, report: outcome.result.report };
}

const sum = (hash: string, id: string) => createHash(hash).update(id).digest('hex');
const storedOf = (ids: readonly string[]) =>
  [...new Set(ids.map((id) => sum('sha256', id.toLowerCase()).slice(0, 16)))].sort();

const anId = fc.uuid().filter((id) => !/^[0-]+$/.test(id));

test('a list is the same set in any order, case, line ending, packing and with any repetitions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anId, { minLength: 1, maxLength: 40 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('', 'MAID', 'idfa', '\uFEFFgaid', 'Device ID'),
      fc.boolean(),
      fc.boolean(),
      fc.infiniteStream(fc.boolean()),
      async (ids, ending, head, isPacked, isQuoted, choices) => {
        const flip = () => choices.next().value as boolean;
        const lines = [...ids, ...ids.filter(flip)]
          .map((id) => (flip() ? id.toUpperCase() : id))
          .map((id) => (isQuoted ? `"${id}"` : id))
          .map((id) => (flip() ? ` ${id} ` : id))
          .sort(() => (flip() ? 1 : -1));
        const text = [...(head ? [head] : []), ...lines].join(ending) + (flip() ? ending : '');
        const { digests, report } = (await imported(isPacked ? gzipSync(text) : text)) as {
          digests: string[];
          report: { lines: number; ids: number; duplicates: number };
        };
        expect(digests).toEqual(storedOf(ids));
        expect(report.lines).toBe(lines.length);
        expect(report.ids - report.duplicates).toBe(digests.length);
      },
    ),
    runs(60),
  );
});

test('the parts in which a text arrives change nothing, its numbers of lines included', () => {
  const lines = fc.array(fc.constantFrom('38400000-8cf0-11bd-b23e-10b96e40abcd', 'bad', '', ' '), {
    maxLength: 20,
  });
  const endings = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 20, maxLength: 20 });
  const read = (parts: readonly string[]) => {
    const reader = new ListReader('auto', () => {});
    for (const part of parts) reader.add(part);
    reader.end();
    return reader.counts;
  };
  fc.assert(
    fc.property(lines, endings, fc.array(fc.nat(200), { maxLength: 12 }), (texts, ends, cuts) => {
      const whole = texts.map((text, at) => text + ends[at]!).join('');
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const parts = at.slice(1).map((end, index) => whole.slice(at[index], end));
      expect(read(parts)).toEqual(read([whole]));
    }),
    runs(300),
  );
});

const A = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
const B = '38400000-8cf0-11bd-b23e-10b96e40abcd';
const C = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
const NIL = '00000000-0000-0000-0000-000000000000';

test.each([
  ['MD5 by the head', `MAID_MD5\n${sum('md5', A)}`, 'md5', 'either', sum('md5', A)],
  ['MD5 as asked', sum('md5', A).toUpperCase(), 'md5', 'either', sum('md5', A), { form: 'md5' }],
  ['SHA-1 by its length', sum('sha1', A), 'sha1', 'upper', sum('sha1', A), { letters: 'upper' }],
  ['SHA-256 by its length', sum('sha256', A), 'sha256', 'either', sum('sha256', A)],
  [
    'plain without hyphens',
    A.replaceAll('-', ''),
    'sha256',
    'lower',
    sum('sha256', A.toLowerCase()),
    { form: 'plain' },
  ],
  ['a column of several', `name;idfa;country\nx;${A};DE`, 'sha256', 'lower', sum('sha256', A.toLowerCase())],
  ['the filled one of two columns', `idfa,gaid\n,${B}`, 'sha256', 'lower', sum('sha256', B)],
  ['an empty first cell before a tab', `idfa\tgaid\n\t${B}`, 'sha256', 'lower', sum('sha256', B)],
  [
    'plain ids before their hashes',
    `MAID_SHA1,MAID\n${sum('sha1', B)},${B}`,
    'sha256',
    'lower',
    sum('sha256', B),
  ],
  ['a hash next to a number of the row', `id,gaid_md5\n1,${sum('md5', A)}`, 'md5', 'either', sum('md5', A)],
  [
    'a quoted delimiter and doubled quotes',
    `"name","idfa"\n"Doe, ""J"", Jr",${B}`,
    'sha256',
    'lower',
    sum('sha256', B),
  ],
  [
    'a delimiter in the quotes of a header',
    `"name, first";idfa\nx;"${B}"`,
    'sha256',
    'lower',
    sum('sha256', B),
  ],
  ['a quote that does not end', `name,idfa\n"Doe,${B}`, 'sha256', 'lower', sum('sha256', B)],
  [
    'a byte order mark before quotes',
    `\uFEFF"idfa","name"\r\n"${B}","x"`,
    'sha256',
    'lower',
    sum('sha256', B),
  ],
  ['Excel’s line with the delimiter', `sep=;\r\nidfa;name\r\n${B};x`, 'sha256', 'lower', sum('sha256', B)],
  ['the first column with ids', `customer,device,session\n7,${B},${A}`, 'sha256', 'lower', sum('sha256', B)],
  ['a column without a head', `1\t${A}\tDE`, 'sha256', 'lower', sum('sha256', A.toLowerCase())],
] as const)('%s', async (_name, text, hash, letters, digest, over?: Partial<ImportTask>) => {
  expect(await imported(text, over)).toMatchObject({ digests: [digest.slice(0, 16)], hash, letters });
});

test('all columns that a header names for ids are read, and a line counts once', async () => {
  const text = `idfa,name,gaid\n${A},x,${B}\n${NIL},y,${C}\n,z,\n${A},,word`;
  expect(await imported(text)).toMatchObject({
    digests: storedOf([A, B, C]),
    report: { lines: 4, ids: 4, duplicates: 1, invalid: 1, invalid_lines: [{ line: 4, fault: 'no_id' }] },
  });
});

test('a first line that names no column is an id or is counted, whatever cannot be seen before it', async () => {
  for (const unseen of ['\u200B', '\u00A0', '\u0000', '\uFEFF\u2060 '])
    expect(await imported(`${unseen}${A}\n${B}`)).toMatchObject({
      digests: storedOf([A, B]),
      report: { lines: 2 },
    });
  expect(await imported(`{${A}}\n${B}\n${C}`)).toMatchObject({
    digests: storedOf([B, C]),
    report: { lines: 3, invalid: 1, invalid_lines: [{ line: 1, fault: 'no_id' }] },
  });
});

test('of columns with ids and with their hashes, each line has the ids read, or the hashes where it has none', async () => {
  const [a, b, c] = [A, B, C].map((id) => id.toLowerCase()) as [string, string, string];
  for (const [names, ...rows] of [
    ['maid_sha256,maid', [sum('sha256', a), ''], ['', b], [sum('sha256', c), c]],
    ['maid,maid_sha256', [a, sum('sha256', a)], ['', sum('sha256', b)], ['', sum('sha256', c)]],
  ] as const)
    expect(await imported([names, ...rows.map((row) => row.join(','))].join('\n'))).toMatchObject({
      digests: storedOf([a, b, c]),
      report: { lines: 3, ids: 3, invalid: 0 },
    });
});

test('hashes of mail addresses and telephone numbers are no ids, nor is a key next to ids', async () => {
  for (const text of [
    `email_sha256\n${sum('sha256', A)}`,
    `name,hashed_email\nx,${sum('sha256', A)}`,
    `sha256_phone\n${sum('sha256', A)}`,
  ])
    expect(await imported(text)).toMatchObject({ fault: { code: 'no_valid_ids', lines: 1 } });
  expect(await imported(`email_sha256,device\n${sum('sha256', A)},${B}`)).toMatchObject({
    digests: storedOf([B]),
  });
  expect(await imported(`id,idfa\n${A},${B}`)).toMatchObject({ digests: storedOf([B]) });
  expect(await imported(`id,name\n${A},x`)).toMatchObject({ digests: storedOf([A]) });
});

test('a column that is named for another hash than the list is of has no ids', async () => {
  expect(await imported(`MAID_MD5\n${sum('md5', A)}`, { form: 'plain' })).toMatchObject({
    fault: { code: 'no_valid_ids', lines: 1, first: { line: 2, fault: 'other_kind' } },
  });
});

test.each([
  ['excel', 'PK\u0003\u0004…[Content_Types].xml'],
  ['zip', 'PK\u0003\u0004…ids.csv'],
  ['utf16', Buffer.from(`\uFEFFMAID\n${A}`, 'utf16le')],
  ['utf16', Buffer.from(`MAID\n${A}`, 'utf16le')],
  ['image', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['pdf', '%PDF-1.7'],
  ['web_page', '\n<!DOCTYPE html><html><title>Log in</title>'],
  ['web_page', `\u00EF\u00BB\u00BF<html>\n${A}\n${B}\n</html>`],
  ['web_page', `<div>\n${A}\n${B}\n</div>`],
  ['gzip_twice', gzipSync(gzipSync(A))],
] as const)('a file of the format %s is named as such, also packed by gzip', async (format, content) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const fault = { code: 'other_format', format };
  expect(await imported(bytes)).toMatchObject({ fault });
  if (format !== 'gzip_twice') expect(await imported(gzipSync(bytes))).toMatchObject({ fault });
});

test('a packed file that unpacks to much more than lists do is rejected before it is read to its end', async () => {
  const bomb = gzipSync(Buffer.alloc(18e6, '\n'));
  expect(await imported(bomb, { bytesMax: 2 ** 31 })).toMatchObject({ fault: { code: 'unpacks_too_far' } });
});

test('a file whose end is not known is rejected where its last line is cut', async () => {
  const cut = `${A}\n${B.slice(0, 30)}`;
  const mayBeCut = true;
  expect(await imported(cut, { mayBeCut })).toMatchObject({ fault: { code: 'cut_off' } });
  for (const whole of [`${cut}\n`, gzipSync(cut), `${A}\n${B}`])
    expect(await imported(whole, { mayBeCut })).toMatchObject({ report: { lines: 2 } });
  expect(await imported(cut)).toMatchObject({ digests: storedOf([A]) });
});

test('lines without a usable id are counted, and the first are named', async () => {
  const text = [B, 'word', NIL, sum('sha1', A), '', sum('md5', NIL), A, 'x'.repeat(70_000), A, A, A, A].join(
    '\n',
  );
  expect(await imported(text)).toMatchObject({
    digests: storedOf([A, B]),
    report: {
      lines: 11,
      ids: 6,
      duplicates: 4,
      invalid: 5,
      invalid_lines: [
        { line: 2, fault: 'no_id' },
        { line: 3, fault: 'zeros' },
        { line: 4, fault: 'other_kind' },
        { line: 6, fault: 'ambiguous' },
        { line: 8, fault: 'too_long' },
      ],
    },
  });
});

test.each([
  ['nothing', '', { code: 'empty' }],
  ['blank lines', '\uFEFF\r\n \n', { code: 'empty' }],
  ['a head alone', 'MAID\n', { code: 'head_alone' }],
  ['no id', 'MAID\nx\ny', { code: 'no_valid_ids', lines: 2, first: { line: 2, fault: 'no_id' } }],
  [
    'mostly no ids',
    `MAID\n${A}\nx\ny`,
    { code: 'mostly_invalid', lines: 3, invalid: 2, first: { line: 3, fault: 'no_id' } },
  ],
  ['half of a packed file', gzipSync(`${A}\n`.repeat(500)).subarray(0, 60), { code: 'gzip' }],
] as const)('a file with %s fails', async (_name, content, fault) => {
  expect(await imported(content as string | Buffer)).toMatchObject({ fault });
});

test('ids are added to a list and removed from it; those of another kind are not', async () => {
  await imported(`${A}\n${B}`, { output: previous! });
  const third = '11111111-2222-4333-8444-555555555555';
  const changed = async (text: string, mode: 'add' | 'remove') =>
    imported(text, { mode, previous: previous! });
  expect(await changed(`${B}\n${third}`, 'add')).toMatchObject({
    digests: storedOf([A, B, third]),
    report: { size_before: 2, size_after: 3 },
  });
  expect(await changed(`${B}\n${third}`, 'remove')).toMatchObject({ digests: storedOf([A]) });
  expect(await changed(sum('sha256', third), 'add')).toMatchObject({ hash: 'sha256', letters: 'either' });
  expect(await changed(sum('sha1', A), 'add')).toMatchObject({
    fault: { code: 'other_kind', stored: 'sha256', given: 'sha1' },
  });
});

test('a list has at most so many ids, without its repetitions', async () => {
  const ids = Array.from(
    { length: 21 },
    (_, at) => `11111111-2222-4333-8444-5555555555${String(at).padStart(2, '0')}`,
  );
  const text = (count: number) =>
    [...ids.slice(0, count), ...ids.slice(0, count), ...ids.slice(0, count)].join('\n');
  expect(await imported(text(20), { sizeMax: 20 })).toMatchObject({
    report: { size_after: 20, duplicates: 40 },
  });
  expect(await imported(text(21), { sizeMax: 20 })).toMatchObject({ fault: { code: 'too_many' } });
  const list = new DigestList(3);
  for (let round = 0; round < 1000; round += 1) list.add({ low: round % 3, high: 0 });
  expect([...list.sorted().values]).toEqual([0n, 1n, 2n]);
  expect(() => {
    for (let at = 0; at < 100; at += 1) list.add({ low: at, high: 1 });
  }).toThrow(TooManyDigests);
});

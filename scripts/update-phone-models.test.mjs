import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addModels, readCatalogue, updatePhoneModels } from './update-phone-models.mjs';

const csv = [
  'Retail Branding,Marketing Name,Device,Model',
  'Samsung,Galaxy S25 Ultra,pa3q,SM-S938B',
  'Samsung,Galaxy S25 Ultra,pa3q,SM-S938U',
  'Samsung,Galaxy S23 Ultra,dm3q,sm-s918b',
  'POCO,"POCO F7, Pro",zorn,24117RK2CG',
  'Fairphone,Fairphone 5,FP5,FP5',
  ',,nameless,NONE',
  "Other,It\\'s,odd,ODD1",
].join('\r\n');
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(csv, 'utf16le')]);
const data = {
  source: ['by hand'],
  vendors: { Samsung: { 'SM-S918B': 'Galaxy S23 Ultra' }, Xiaomi: { M1: 'One' } },
};

test.each([
  ['UTF-16 with its mark', utf16],
  ['UTF-8', Buffer.from(csv)],
])('a catalogue is read in %s, without incomplete rows', (_encoding, bytes) => {
  expect(readCatalogue(bytes)).toEqual([
    { brand: 'Samsung', name: 'Galaxy S25 Ultra', model: 'SM-S938B' },
    { brand: 'Samsung', name: 'Galaxy S25 Ultra', model: 'SM-S938U' },
    { brand: 'Samsung', name: 'Galaxy S23 Ultra', model: 'sm-s918b' },
    { brand: 'POCO', name: 'POCO F7, Pro', model: '24117RK2CG' },
    { brand: 'Fairphone', name: 'Fairphone 5', model: 'FP5' },
  ]);
});

test('an invalid catalogue is rejected with its missing columns', () => {
  expect(() => readCatalogue(Buffer.from('Model,Name\nx,y\n'))).toThrow('Retail Branding, Marketing Name');
});

test('new models and names are added under their vendors, and existing ones are unchanged', () => {
  const wanted = ['galaxy s25 ultra', 'SM-S918B', '24117RK2CG', 'FP5', 'Galaxy S99'];
  const result = addModels(data, readCatalogue(utf16), wanted);
  expect(result.data).toEqual({
    source: ['by hand'],
    vendors: {
      Samsung: {
        'SM-S918B': 'Galaxy S23 Ultra',
        'SM-S938B': 'Galaxy S25 Ultra',
        'SM-S938U': 'Galaxy S25 Ultra (SM-S938U)',
      },
      Xiaomi: { M1: 'One', '24117RK2CG': 'POCO F7, Pro' },
      Fairphone: { FP5: 'Fairphone 5' },
    },
  });
  expect(result.added.map(({ value }) => value)).toEqual(['SM-S938B', 'SM-S938U', '24117RK2CG', 'FP5']);
  expect(result.unknown).toEqual(['Galaxy S99']);
  expect(addModels(result.data, readCatalogue(utf16), wanted).added).toEqual([]);
});

test('the data file keeps its format, with the new models', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = ['supported_devices.csv', 'wanted.txt', 'data.json'].map((name) => join(folder, name));
  const own = new URL('../packages/server/src/modules/catalog/reference/phone-models.json', import.meta.url);
  const before = await readFile(own, 'utf8');
  await Promise.all([
    writeFile(files[0], utf16),
    writeFile(files[1], '\nFP5\r\nnobody\n'),
    writeFile(files[2], before),
  ]);
  expect(updatePhoneModels(...files)).toEqual({
    added: [{ vendor: 'Fairphone', value: 'FP5', name: 'Fairphone 5' }],
    unknown: ['nobody'],
  });
  const added = ',\n    "Fairphone": {\n      "FP5": "Fairphone 5"\n    }';
  expect(await readFile(files[2], 'utf8')).toBe(before.replace(/(?=\n {2}\}\n\}\n$)/, added));
});

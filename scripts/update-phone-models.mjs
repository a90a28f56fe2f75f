/**
 * Adds phone models to the list that targets choose from, with the names of Google Play's list of supported devices:
 *
 *     node scripts/update-phone-models.mjs supported_devices.csv wanted.txt
 *
 * The first file is downloaded from the address in the data file. The second one names, one a line, what to add: models as
 * devices report them, such as `SM-S938B`, or marketing names, such as `Galaxy S25 Ultra`, which add every variant.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import papa from 'papaparse';

const dataFile = fileURLToPath(
  new URL('../packages/server/src/modules/catalog/reference/phone-models.json', import.meta.url),
);

const COLUMNS = ['Retail Branding', 'Marketing Name', 'Model'];
/** The longest value and name that a list shows; longer ones are faults of the catalogue. */
const CHARS_MAX = 60;

/** Brands of the catalogue that the list has under their vendor. */
const vendorOfBrand = { redmi: 'Xiaomi', poco: 'Xiaomi', iqoo: 'vivo', lge: 'LG' };

/**
 * Reads the catalogue, in UTF-16 as Google publishes it or in UTF-8: rows of brand, name and model. Rows without a brand, a
 * name or a model are left out, as are names with escape sequences. Throws if a column is missing.
 */
export function readCatalogue(bytes) {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  const { data, meta } = papa.parse(text, { header: true, skipEmptyLines: true });
  const missing = COLUMNS.filter((column) => !meta.fields?.includes(column));
  if (missing.length > 0) throw new Error(`The catalogue has no column ${missing.join(', ')}.`);
  return data
    .map((row) => COLUMNS.map((column) => (row[column] ?? '').trim()))
    .filter((cells) => cells.every((cell) => cell !== '' && cell.length <= CHARS_MAX && !cell.includes('\\')))
    .map(([brand, name, model]) => ({ brand, name, model }));
}

/**
 * The data with the wanted models of the catalogue added, what was added, and which wanted lines the catalogue does not
 * have. Models that the data has, in whatever case, stay as they are. A name that the vendor has already gets its model in
 * brackets, so that people can tell the two apart.
 */
export function addModels(data, catalogue, wanted) {
  const vendors = Object.fromEntries(
    Object.entries(data.vendors).map(([vendor, models]) => [vendor, { ...models }]),
  );
  const known = new Set(Object.values(vendors).flatMap((models) => Object.keys(models).map(lower)));
  const wantedKeys = new Set(wanted.map(lower));
  const found = new Set();
  const added = [];
  for (const { brand, name, model } of catalogue) {
    const keys = [lower(model), lower(name)].filter((key) => wantedKeys.has(key));
    for (const key of keys) found.add(key);
    if (keys.length === 0 || known.has(lower(model))) continue;
    known.add(lower(model));
    const vendor = vendorOf(vendors, brand);
    const models = (vendors[vendor] ??= {});
    models[model] = Object.values(models).includes(name) ? `${name} (${model})` : name;
    added.push({ vendor, value: model, name: models[model] });
  }
  return {
    data: { ...data, vendors },
    added,
    unknown: wanted.filter((line) => !found.has(lower(line))),
  };
}

const lower = (text) => text.toLowerCase();

function vendorOf(vendors, brand) {
  const alias = vendorOfBrand[lower(brand)];
  return alias ?? Object.keys(vendors).find((vendor) => lower(vendor) === lower(brand)) ?? brand;
}

/** Updates the data file, or `file`, from two files. Returns what was added and what the catalogue does not have. */
export function updatePhoneModels(catalogueFile, wantedFile, file = dataFile) {
  const wanted = readFileSync(wantedFile, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const { data, ...report } = addModels(before, readCatalogue(readFileSync(catalogueFile)), wanted);
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
  return report;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [catalogueFile, wantedFile] = process.argv.slice(2);
  if (!catalogueFile || !wantedFile) {
    console.error('Usage: node scripts/update-phone-models.mjs supported_devices.csv wanted.txt');
    process.exit(1);
  }
  const { added, unknown } = updatePhoneModels(catalogueFile, wantedFile);
  for (const { vendor, value, name } of added) console.log(`added ${vendor} ${value}: ${name}`);
  for (const line of unknown) console.log(`not in the catalogue: ${line}`);
  console.log(`${added.length} added.`);
}

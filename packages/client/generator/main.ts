/**
 * node --import ./scripts/typescript.mjs packages/client/generator/main.ts [--check]: writes src/calls.ts from the contract; with
 * --check exits with 1 where it is not what would be written.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { callsText } from './calls-text.ts';

const path = fileURLToPath(new URL('../src/calls.ts', import.meta.url));
const text = await format(callsText(), { ...(await resolveConfig(path)), filepath: path });
if (!process.argv.includes('--check')) await writeFile(path, text);
else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
  console.error('packages/client/src/calls.ts is not what the contract says: npm run generate');
  process.exitCode = 1;
}

/**
 * Checks every regular expression of packages/(name)/src with recheck for super-linear matching time, with which a short
 * request could block the process (ReDoS). Prints each vulnerable one and exits with 1. The search has a fixed seed; safe
 * expressions are cached in .cache, so that only new ones are checked.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { check } from 'recheck';
import { parseAst } from 'vitest/node';
import { root } from '../install.mjs';

/** Timeout per expression in milliseconds: far more than any needs, so that the result does not depend on load. */
const TIMEOUT = 120_000;
const PARAMS = { randomSeed: 0, timeout: TIMEOUT, attackTimeout: TIMEOUT, incubationTimeout: TIMEOUT };
const cachePath = join(root, '.cache', 'safe-regexes.json');

const expressions = new Map();
for (const name of ['contract', 'server', 'console', 'exchange']) {
  for (const path of sources(join(root, 'packages', name, 'src'))) collect(path);
}
const known = new Set(cached());
const unknown = [...expressions].filter(([key]) => !known.has(key));
let breaches = 0;
await Promise.all(Array.from({ length: 2 }, judgeInTurn));
mkdirSync(join(root, '.cache'), { recursive: true });
writeFileSync(cachePath, JSON.stringify([...known].filter((key) => expressions.has(key))));
process.exit(breaches > 0 ? 1 : 0);

async function judgeInTurn() {
  for (let next = unknown.pop(); next; next = unknown.pop()) {
    const [key, { source, flags, locations }] = next;
    const { status, complexity, error, attack } = await check(source, flags, PARAMS);
    if (status === 'safe') {
      known.add(key);
      continue;
    }
    breaches += 1;
    const reason = status === 'vulnerable' ? complexity.summary : `not judged (${error?.kind})`;
    console.log(`${locations.join(', ')}: /${source}/${flags} is ${reason}`);
    if (attack?.pattern) console.log(`    for example on ${attack.pattern}`);
  }
}

function cached() {
  try {
    return JSON.parse(readFileSync(cachePath, 'utf8'));
  } catch {
    return [];
  }
}

/** Collects the expressions of a file: literals, and `new RegExp(…)` with each interpolated part replaced by one letter. */
function collect(path) {
  const text = readFileSync(path, 'utf8');
  const lang = path.endsWith('x') ? 'tsx' : 'ts';
  walk(parseAst(text, { lang }), (node) => {
    const line = () => text.slice(0, node.start).split('\n').length;
    const found =
      node.type === 'Literal' && node.regex
        ? { source: node.regex.pattern, flags: node.regex.flags }
        : node.type === 'NewExpression' && node.callee.name === 'RegExp'
          ? built(node.arguments)
          : null;
    if (!found) return;
    const key = `${found.source}/${found.flags}`;
    const expression = expressions.get(key) ?? { ...found, locations: [] };
    expression.locations.push(`${relative(root, path)}:${line()}`);
    expressions.set(key, expression);
  });
}

function built([pattern, flags]) {
  const text = pattern?.type === 'Literal' ? pattern.value : templateText(pattern);
  if (typeof text !== 'string') return null;
  return { source: text, flags: flags?.type === 'Literal' ? flags.value : '' };
}

function templateText(node) {
  return node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('x') : null;
}

function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((one) => walk(one, visit));
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit);
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testing') yield* sources(path);
    } else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

/** The modules of the packages and what they import, read from the syntax trees of their sources. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Parses every file of TypeScript and JavaScript under `packages/*\/src` of `root`. Returns a map by path, relative to `root` with slashes, of
 * `{ path, text, imports, program }`: each import has its `target` as written and, if that is a file of the repository, its
 * `path`; `program()` returns the syntax tree. Type imports count, since a type couples two files as a value does. Throws
 * for a file that cannot be parsed.
 */
export function readModules(root) {
  const modules = new Map();
  for (const path of sourcesOf(join(root, 'packages'))) {
    const name = relative(root, path).split(sep).join('/');
    const text = readFileSync(path, 'utf8');
    const parsed = parseSync(path, text);
    if (parsed.errors.length > 0) throw new Error(`${name}: ${parsed.errors[0].message}`);
    const imports = importsOf(parsed.module, text).map((target) => ({ target }));
    // Lazy: deserializing the tree takes far longer than parsing.
    modules.set(name, { path: name, text, imports, program: () => parsed.program });
  }
  for (const { path, imports } of modules.values())
    for (const each of imports) each.path = resolved(modules, path, each.target);
  return modules;
}

function importsOf(module, text) {
  const targets = new Set(module.staticImports.map(({ moduleRequest }) => moduleRequest.value));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) targets.add(moduleRequest.value);
  for (const { moduleRequest } of module.dynamicImports) {
    const written = text.slice(moduleRequest.start, moduleRequest.end);
    if (/^['"].*['"]$/.test(written)) targets.add(written.slice(1, -1));
  }
  return [...targets];
}

/** Yields all nodes of a syntax tree. */
export function* nodesOf(node) {
  if (Array.isArray(node)) {
    for (const each of node) yield* nodesOf(each);
  } else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') yield node;
    for (const each of Object.values(node)) if (typeof each === 'object') yield* nodesOf(each);
  }
}

function resolved(modules, from, target) {
  const [, name, path] = /^@bidwell\/([a-z]+)\/(.+)$/.exec(target) ?? [];
  const stem = name
    ? `packages/${name}/src/${path}`
    : target.startsWith('.')
      ? relative('/', resolve('/', dirname(from), target))
      : null;
  if (stem === null) return undefined;
  return ['', '.ts', '.tsx', '.mts', '.cts'].map((ending) => stem + ending).find((each) => modules.has(each));
}

function* sourcesOf(packages) {
  for (const entry of readdirSync(packages, { withFileTypes: true }))
    if (entry.isDirectory()) yield* filesOf(join(packages, entry.name, 'src'));
}

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (/\.[cm]?[jt]sx?$/.test(entry.name)) yield path;
  }
}

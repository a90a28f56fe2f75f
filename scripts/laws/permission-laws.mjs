/** The rules that no operation does something for somebody without checking their permission first, the one of its endpoint. */

import { nodesOf } from './module-graph.mjs';

/** Who operations are done for, by the name of the type, and the check of their permission. */
const CHECKS = new Map([
  ['Operator', 'requireOperatorPermission'],
  ['Actor', 'requirePermission'],
  ['Session', 'requirePermission'],
]);
const MENTIONED = new RegExp(String.raw`\b(${[...CHECKS.keys()].join('|')})\b`);
/** Types that have the fields of their first argument. */
const WRAPPERS = new Set(['NonNullable', 'Omit', 'Partial', 'Pick', 'Readonly', 'Required']);
/** Where operations and their routes are. */
export const HAS_OPERATIONS = /^packages\/server\/src\/(modules|backup)\//;
const ENDPOINTS = /^@bidwell\/contract\/[\w-]+\/([\w-]+-)?endpoints$/;

/**
 * Exported functions of server modules and backups that take one of {@link CHECKS} and do not begin with the check, or take
 * it elsewhere than as the second parameter. Exempt are those that take a transaction too: they are a part of what their
 * caller has checked. Look-ups within a checked call take an `Owner`.
 */
function* operationBreaches({ path, text, program }) {
  if (!HAS_OPERATIONS.test(path) || !MENTIONED.test(text)) return;
  const aliases = aliasesOf(program());
  for (const { name, node } of exportedFunctions(program())) {
    const types = node.params.map((param) => callerOf(param, aliases));
    const at = types.findIndex((type) => type !== undefined);
    const isPart = node.params.some((param) => /\bTx\b/.test(text.slice(param.start, param.end)));
    if (at < 0 || isPart) continue;
    const check = CHECKS.get(types[at]);
    if (at !== 1) yield `${name} takes an ${types[at]} as another parameter than the second`;
    else if (checkOf(node)?.name !== check)
      yield `${name} does not begin with ${check}(), which any caller could forget`;
  }
}

/** What is wrong with the endpoints that a file declares, and with the operations that its routes call. */
export function* permissionBreaches(module, modules) {
  yield* operationBreaches(module);
  yield* openEndpoints(module);
  yield* mismatches(module, modules);
}

/** Endpoints that name no permission and are not said to be public. */
function* openEndpoints({ path, text, program }) {
  if (!path.startsWith('packages/contract/src/') || !text.includes('endpoint(')) return;
  for (const { name, permission } of endpointsOf(program()))
    if (permission === null) yield `${name} names no permission and is not public`;
}

/**
 * Routes whose endpoint names a permission that none of the called operations checks. Routes that name their operation
 * otherwise than by a call, such as those of a loop, are left to the tests of permissions.
 */
function* mismatches({ path, program, imports }, modules) {
  if (!HAS_OPERATIONS.test(path) || !path.endsWith('routes.ts')) return;
  const sources = sourcesOf(program(), imports);
  for (const call of nodesOf(program())) {
    if (call.type !== 'CallExpression') continue;
    const declared = call.arguments.flatMap((each) => endpointIn(each, sources, modules))[0];
    if (typeof declared?.permission !== 'string') continue;
    const called = [...operationsIn(call.arguments, sources, modules)];
    if (called.length > 0 && called.every(({ permission }) => permission !== declared.permission))
      yield `${declared.name} needs ${declared.permission}, but ${called[0].name} checks ${called[0].permission}`;
  }
}

/** The local names of a file's imports: the file that each comes from, and its name there; null for a whole module. */
function sourcesOf({ body }, imports) {
  const sources = new Map();
  for (const { type, source, specifiers } of body) {
    if (type !== 'ImportDeclaration') continue;
    const { path } = imports.find(({ target }) => target === source.value) ?? {};
    for (const { local, imported } of specifiers)
      sources.set(local.name, { target: source.value, path, name: imported?.name ?? null });
  }
  return sources;
}

/** The endpoint that an argument names: `endpoints.readBalance`, or an endpoint imported by its name. */
function endpointIn(node, sources, modules) {
  const of = node.type === 'MemberExpression' ? node.object : node;
  const source = of.type === 'Identifier' ? sources.get(of.name) : undefined;
  if (!source || !ENDPOINTS.test(source.target)) return [];
  const name = node.type === 'MemberExpression' ? node.property.name : source.name;
  const module = modules.get(source.path);
  return module ? endpointsOf(module.program()).filter((each) => each.name === name) : [];
}

/** The imported operations that are called in some nodes, and the permission that each checks first. */
function* operationsIn(within, sources, modules) {
  for (const { type, callee } of nodesOf(within)) {
    const source = type === 'CallExpression' && callee.type === 'Identifier' && sources.get(callee.name);
    const module = source && HAS_OPERATIONS.test(source.path ?? '') && modules.get(source.path);
    if (!module) continue;
    for (const { name, node } of exportedFunctions(module.program())) {
      const permission = name === source.name && checkOf(node)?.permission;
      if (permission) yield { name, permission };
    }
  }
}

/** The exported calls of `endpoint({ … })` of a file, with the permission of each. */
function endpointsOf({ body }) {
  const declared = new Map(declarationsIn(body));
  return [...declared].map(([name, object]) => ({ name, permission: permissionOf(object, declared) }));
}

function* declarationsIn(body) {
  for (const { type, declaration } of body) {
    if (type !== 'ExportNamedDeclaration') continue;
    for (const { id, init } of declaration?.declarations ?? [])
      for (const { type: kind, callee, arguments: given } of nodesOf(init))
        if (kind === 'CallExpression' && callee.name === 'endpoint' && given[0]?.type === 'ObjectExpression')
          yield [id.name, given[0]];
  }
}

/** The permission that an endpoint names; true for a public one or one named by code, null for one without. */
function permissionOf({ properties }, declared) {
  const named = (name) => properties.find(({ key }) => key?.name === name)?.value;
  const value = named('companyPermission') ?? named('permission');
  if (value) return value.type === 'Literal' ? value.value : true;
  if (named('isPublic')) return true;
  const spread = declared.get(properties.find(({ type }) => type === 'SpreadElement')?.argument.name);
  return spread ? permissionOf(spread, declared) : null;
}

/** Functions under each name by which a file exports them. */
function* exportedFunctions({ body }) {
  const own = new Map(body.flatMap((each) => functionsIn(each.declaration ?? each)));
  for (const { type, declaration, specifiers = [] } of body) {
    if (type === 'ExportDefaultDeclaration') {
      const node = isFunction(declaration) ? declaration : own.get(declaration.name);
      if (node) yield { name: 'default', node };
    }
    if (type !== 'ExportNamedDeclaration') continue;
    if (declaration) for (const [name, node] of functionsIn(declaration)) yield { name, node };
    for (const { local, exported } of specifiers)
      if (own.has(local.name)) yield { name: exported.name, node: own.get(local.name) };
  }
}

/** The functions that a statement declares, by name. */
function functionsIn(statement) {
  if (statement.type === 'FunctionDeclaration') return statement.id ? [[statement.id.name, statement]] : [];
  return (statement.declarations ?? [])
    .filter(({ init }) => isFunction(init))
    .map(({ id, init }) => [id.name, init]);
}

const isFunction = (node) =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node?.type);

/** Whom a parameter is, of {@link CHECKS}, also with a default, in part, or under another name; undefined for none. */
function callerOf({ left, typeAnnotation }, aliases) {
  return callerType((left ?? { typeAnnotation }).typeAnnotation?.typeAnnotation, aliases, new Set());
}

function callerType(type, aliases, seen) {
  if (type?.type === 'TSIntersectionType' || type?.type === 'TSUnionType')
    return type.types.map((each) => callerType(each, aliases, seen)).find((each) => each !== undefined);
  const name = type?.typeName?.name;
  if (name === undefined || seen.has(name)) return undefined;
  if (CHECKS.has(name)) return name;
  if (WRAPPERS.has(name)) return callerType(type.typeArguments?.params[0], aliases, seen);
  const aliased = aliases.get(name);
  return typeof aliased === 'string' ? aliased : callerType(aliased, aliases, new Set([...seen, name]));
}

/** Other names of types in a file: `type A = …`, and `import { Actor as A }`. */
function aliasesOf({ body }) {
  const aliases = new Map();
  for (const { type, declaration, specifiers = [], ...rest } of body) {
    const alias = declaration ?? { type, ...rest };
    if (alias.type === 'TSTypeAliasDeclaration') aliases.set(alias.id.name, alias.typeAnnotation);
    if (type !== 'ImportDeclaration') continue;
    for (const { local, imported } of specifiers)
      if (CHECKS.has(imported?.name)) aliases.set(local.name, imported.name);
  }
  return aliases;
}

/** The check with which a function begins, of its second parameter: its name, and the permission if it is written there. */
function checkOf({ params, body }) {
  const call = body?.type === 'BlockStatement' ? body.body[0]?.expression : body;
  if (call?.type !== 'CallExpression' || ![...CHECKS.values()].includes(call.callee.name)) return undefined;
  const [of, permission] = call.arguments;
  const second = params[1]?.left ?? params[1];
  return of?.name === undefined || of.name !== second?.name
    ? undefined
    : { name: call.callee.name, permission: permission?.value };
}

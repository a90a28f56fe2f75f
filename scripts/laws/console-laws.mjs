/** The rules for imports within the console, and for what its screens load. */
import { nodesOf } from './module-graph.mjs';

/** Folders of the console from the lowest up; a file imports from its own folder and from lower ones only. */
const LAYERS = ['lib', 'ui', 'entities', 'features', 'app'];
/** Entities from the lowest up; one imports only those of lower layers. */
const ENTITY_LAYERS = [
  [
    'accounts',
    'alerts',
    'apps',
    'campaign-reports',
    'changes',
    'companies',
    'creative-groups',
    'creatives',
    'duplicates',
    'exchanges',
    'finance',
    'insight',
    'measurement',
    'moderation',
    'notifications',
    'operator',
    'postbacks',
    'reference',
    'report-schedules',
    'reports',
    'skadnetwork',
    'targets',
  ],
  ['archive', 'campaigns', 'operator-accounts', 'tracking-links'],
  ['live'],
];

/**
 * What is wrong with an import of a file of the console: `to` is the path of the imported file, undefined outside the
 * repository; `target` is the import as written.
 */
export function* consoleBreaches(path, to, target) {
  const own = placeOf(path);
  if (!own) return;
  if (own.folder === 'ui' && /^@bidwell\/contract\/(?!lib\/|text\/)/.test(target))
    yield `ui knows no entity and may not import ${target}`;
  const its = to && placeOf(to);
  if (!its) return;
  const [layer, lower] = [own, its].map(({ folder }) => LAYERS.indexOf(folder));
  if (layer < 0) yield `${own.folder}/ has no layer`;
  else if (lower > layer) yield `${own.folder} may not import ${target}, which is above it`;
  else if (lower === layer && its.name !== own.name) yield* siblingBreaches(own, its, target);
}

function* siblingBreaches({ folder, name }, its, target) {
  if (folder === 'features') yield `feature ${name} imports feature ${its.name}`;
  if (folder !== 'entities') return;
  const [layer, lower] = [name, its.name].map((each) =>
    ENTITY_LAYERS.findIndex((names) => names.includes(each)),
  );
  if (layer < 0) yield `entities/${name} has no layer`;
  else if (lower < 0 || lower >= layer)
    yield `entities/${name} may not import ${target}, which is not below it`;
}

/** The layer of a file of the console and the feature or entity; files beside the layers are part of the app. */
function placeOf(path) {
  const [, within] = /^packages\/console\/src\/(.+)$/.exec(path) ?? [];
  if (within === undefined) return null;
  const [folder, name, file] = within.split('/');
  return name === undefined ? { folder: 'app' } : { folder, name: file === undefined ? undefined : name };
}

/** What screens load by in place of these: the results of these have no state that cannot be forgotten. */
const RAW_QUERIES = /^use(Suspense)?(Query|Queries)$|^useSuspenseInfiniteQuery$/;
/** What has data or undefined, which is no sign that there is none. */
const MAYBE_UNKNOWN = new Set(['knownData', 'useKnown', 'useInfiniteQuery']);

/**
 * What a file of the console does with what it loads: everything is loaded by `lib/loadable.ts`, and what is not known gets no
 * default that claims that there is none.
 */
export function* loadingBreaches({ path, text, program }) {
  if (!path.startsWith('packages/console/src/') || path.endsWith('/lib/loadable.ts')) return;
  if (!/Query|Queries|knownData|useKnown/.test(text)) return;
  const nodes = [...nodesOf(program())];
  for (const { type, source, specifiers } of nodes)
    if (type === 'ImportDeclaration' && source.value === '@tanstack/react-query')
      for (const { imported } of specifiers)
        if (imported && RAW_QUERIES.test(imported.name))
          yield `imports ${imported.name}: load by useLoadable or useKnown of lib/loadable.ts`;
  const unknown = unknownNames(nodes);
  for (const node of nodes) {
    const isDefault =
      (node.type === 'LogicalExpression' &&
        node.operator !== '&&' &&
        mayBeUnknown(node.left, unknown) &&
        claimsNone(node.right)) ||
      (node.type === 'VariableDeclarator' &&
        mayBeUnknown(node.init, unknown) &&
        [...nodesOf(node.id)].some(({ type }) => type === 'AssignmentPattern'));
    if (isDefault)
      yield `gives what is not known a default: \`${text.slice(node.start, node.end).split('\n')[0]}\``;
  }
}

/** The variables of a file that are undefined while something is not known, and what is read from them. */
function unknownNames(nodes) {
  const names = new Set();
  for (const { type, id, init } of nodes)
    if (type === 'VariableDeclarator' && mayBeUnknown(init, names))
      for (const { type: kind, name } of id.type === 'Identifier' ? [id] : nodesOf(patternValues(id)))
        if (kind === 'Identifier') names.add(name);
  return names;
}

/** The variables that a pattern declares, without the names of the properties that they come from. */
const patternValues = (pattern) =>
  (pattern.properties ?? pattern.elements ?? []).map((part) => part?.value ?? part);

/** Whether an expression reads from something that may be unknown. */
function mayBeUnknown(node, names) {
  switch (node?.type) {
    case 'Identifier':
      return names.has(node.name);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return mayBeUnknown(node.expression, names);
    case 'UnaryExpression':
      return mayBeUnknown(node.argument, names);
    case 'MemberExpression':
      return mayBeUnknown(node.object, names);
    case 'CallExpression':
      if (node.callee.type === 'Identifier') return MAYBE_UNKNOWN.has(node.callee.name);
      return mayBeUnknown(node.callee, names);
    case 'LogicalExpression':
      return mayBeUnknown(node.left, names) || mayBeUnknown(node.right, names);
    default:
      return false;
  }
}

/** Whether an expression is a value that stands for nothing: empty, zero, false, null, or a constant of such a name. */
function claimsNone(node) {
  if (node.type === 'Literal') return typeof node.value !== 'string';
  if (node.type === 'NewExpression') return true;
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  return node.type === 'Identifier' && /^(none|empty|nothing)|^[A-Z][A-Z\d_]*$/.test(node.name);
}

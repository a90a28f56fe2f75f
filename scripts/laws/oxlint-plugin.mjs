/**
 * Rules of this project that no linter has, as a plugin of oxlint; `.oxlintrc.json` says to which files each applies. Tests plant a
 * violation of each.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { checkSync } from 'recheck';

/** A rule that rejects all nodes of some selectors. */
const forbid = (message, ...selectors) => ({
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

/** A rule for imports, types included, since a type couples two files as a value does: `check` yields the faults of one. */
const imports = (check) => ({
  meta: { schema: false },
  create(context) {
    const [, from] = /.*\/(packages\/.+)$/.exec(context.filename.replaceAll(sep, '/'));
    return {
      ':matches(ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression)'({
        source,
      }) {
        const to = typeof source?.value === 'string' && resolved(from, source.value);
        for (const what of to ? check(from, to, context.options[0], source.value) : [])
          context.report({ node: source, message: `${what}: ${source.value}` });
      },
    };
  },
});

function resolved(from, target) {
  const [, name, file] = /^@bidwell\/([a-z]+)\/(.+)$/.exec(target) ?? [];
  if (name) return `packages/${name}/src/${file}`;
  return target.startsWith('.') ? posix.join(posix.dirname(from), target) : null;
}

/**
 * Imports between folders go down. The option names folders, each with the layers of its direct entries, from the lowest up: a name in
 * the folder imports another only if that is in a lower layer. Other files directly in the folder are above all layers.
 * `*` stands for all names that no other layer has. Another package is imported by its name.
 */
const layers = imports(function* (from, to, folders, target) {
  if (target.startsWith('.') && packageOf(from) !== packageOf(to)) yield 'Name the package';
  for (const [folder, names] of Object.entries(folders)) {
    const [own, its] = [from, to].map((path) => placeIn(folder, path, names));
    if (own && its && own.name !== its.name && (its.layer < 0 || its.layer >= own.layer))
      yield `${own.name} may not import ${its.name}, which is not in a lower layer of ${folder}`;
  }
});

function placeIn(folder, path, layersOfFolder) {
  if (!path.startsWith(`${folder}/`)) return null;
  const [name, file] = path.slice(folder.length + 1).split('/');
  const layer = layersOfFolder.findLastIndex((names) => names === '*' || names.split(' ').includes(name));
  return layer < 0 && file === undefined ? { name: 'the top', layer: Infinity } : { name, layer };
}

const packageOf = (path) => /^packages\/[^/]+\//.exec(path)?.[0];

/** Other parts of the server import a domain, which is a folder of `modules/` or `delivery/`, only by its `public.ts`. */
const publicOnly = imports(function* (from, to) {
  const [own, its] = [from, to].map(domainOf);
  if (its && own !== its && !to.endsWith(`${its}/public.ts`)) yield `Of ${its}, import public.ts`;
});

const domainOf = (path) => /^packages\/server\/src\/(modules\/[^/]+|delivery)\//.exec(path)?.[1];

/**
 * An exported function that takes a caller has it as second parameter and begins with the check of a permission, which callers could
 * forget. Functions that take a transaction are a part of what their caller has checked.
 */
const permissionFirst = {
  create(context) {
    const check = (node) => {
      const params = node.params.map((param) => param.left ?? param);
      const types = params.map((param) => context.sourceCode.getText(param));
      const at = types.findIndex((type) => /: (?!.*=>).*\b(Actor|Operator|Session)\b/s.test(type));
      if (at < 0 || types.some((type) => /\bTx\b/.test(type))) return;
      const required = /\bOperator\b/.test(types[at]) ? 'requireOperatorPermission' : 'requirePermission';
      const first = node.body.type === 'BlockStatement' ? node.body.body[0]?.expression : node.body;
      const caller = first?.callee?.name === required ? first.arguments[0]?.name : undefined;
      if (at !== 1 || !caller || caller !== params[1].name)
        context.report({
          node,
          message: `The caller is the second parameter, and ${required}() of it comes first`,
        });
    };
    const exported = ':matches(ExportNamedDeclaration, ExportDefaultDeclaration)';
    return {
      [`${exported} > FunctionDeclaration`]: check,
      [`${exported} > ArrowFunctionExpression`]: check,
      [`${exported} > VariableDeclaration > VariableDeclarator > :function`]: check,
    };
  },
};

/** Values that have data or undefined; undefined does not mean that there is none. */
const MAYBE_UNKNOWN = /^(knownData|useKnown|useInfiniteQuery)$/;

/** Data that the console may not know yet gets no default that claims that there is none, such as `[]` or 0. */
const noDefaultForUnknown = {
  create(context) {
    const message = 'What is not known gets no default: ask isKnown(), or show it by a frame';
    const report = (node) => context.report({ node, message });
    return {
      LogicalExpression(node) {
        if (node.operator !== '&&' && mayBeUnknown(node.left, context) && claimsNone(node.right))
          report(node);
      },
      'VariableDeclarator AssignmentPattern'(node) {
        let declarator = node.parent;
        while (declarator.type !== 'VariableDeclarator') declarator = declarator.parent;
        if (declarator.id.range[1] >= node.range[1] && mayBeUnknown(declarator.init, context)) report(node);
      },
    };
  },
};

/** Whether an expression reads from something that may be unknown, also by way of variables. */
function mayBeUnknown(node, context) {
  if (node?.type === 'Identifier') {
    for (let scope = context.sourceCode.getScope(node); scope; scope = scope.upper) {
      const definition = scope.set.get(node.name)?.defs[0];
      if (definition) return definition.type === 'Variable' && mayBeUnknown(definition.node.init, context);
    }
    return false;
  }
  if (node?.type === 'CallExpression' && MAYBE_UNKNOWN.test(node.callee.name)) return true;
  if (!node || node.type === 'BinaryExpression') return false;
  return ['expression', 'object', 'argument', 'callee', 'left', 'right'].some(
    (part) => node[part]?.type && mayBeUnknown(node[part], context),
  );
}

/** Whether a value means nothing: empty, zero, false, null, or a constant of such a name. */
function claimsNone(node) {
  if (node.type === 'Identifier') return /^(none|empty|nothing)|^[A-Z][A-Z\d_]*$/.test(node.name);
  if (node.type === 'Literal') return typeof node.value !== 'string';
  return node.type === 'NewExpression' || (node.elements ?? node.properties)?.length === 0;
}

/** Milliseconds for one expression: far more than any needs, so that the result does not depend on the load. */
const TIMEOUT = 120_000;
const PARAMS = { randomSeed: 0, timeout: TIMEOUT, attackTimeout: TIMEOUT, incubationTimeout: TIMEOUT };
const cache = join(import.meta.dirname, '../../.cache/safe-regexes.txt');
let known;

/**
 * No regular expression takes super-linear time on any text, since a short request could then block the process (ReDoS).
 * Interpolated parts count as one letter. Safe expressions are cached, so that only new ones are checked.
 */
const safeRegex = {
  create(context) {
    const check = (node, source, flags) => {
      known ??= new Set(existsSync(cache) ? readFileSync(cache, 'utf8').split('\n') : []);
      const key = JSON.stringify([source, flags]);
      if (known.has(key)) return;
      const { status, complexity, error } = checkSync(source, flags, PARAMS);
      if (status !== 'safe')
        return context.report({ node, message: `Not safe: ${complexity?.summary ?? error?.kind}` });
      known.add(key);
      mkdirSync(dirname(cache), { recursive: true });
      appendFileSync(cache, `${key}\n`);
    };
    return {
      'Literal[regex]': (node) => check(node, node.regex.pattern, node.regex.flags),
      ':matches(NewExpression, CallExpression)[callee.name="RegExp"]'(node) {
        const [pattern, flags] = node.arguments;
        const text = pattern.quasis?.map(({ value }) => value.cooked).join('x') ?? pattern.value;
        if (typeof text === 'string') check(node, text, flags?.value ?? '');
      },
    };
  },
};

export default {
  meta: { name: 'bidwell' },
  rules: {
    layers,
    'public-only': publicOnly,
    'permission-first': permissionFirst,
    'no-default-for-unknown': noDefaultForUnknown,
    'safe-regex': safeRegex,
    'export-in-place': forbid(
      'Export a name where it is declared, for a check and a reader to see what it is',
      'ExportAllDeclaration',
      'ExportNamedDeclaration[specifiers.length>0]',
    ),
    'no-sql': forbid(
      'A query is in a file of the subject that it is about',
      'TaggedTemplateExpression[tag.name="sql"]',
      'MemberExpression[property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]',
      'MemberExpression[property.name=/^(query|insert|command)$/]:matches([object.name="clickhouse"], [object.property.name="clickhouse"])',
    ),
    'own-properties': forbid(
      'This also finds inherited properties such as "constructor": use Object.hasOwn or a Map',
      'BinaryExpression[operator="in"]:not([left.type=/^(Literal|PrivateIdentifier)$/])',
    ),
  },
};

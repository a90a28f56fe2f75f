/** The rule that no function is longer than 100 lines. */
const LINES_MAX = 100;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Functions of more than 100 lines, and allowances that are no longer needed. `allowed` has the lines that functions may
 * have by file and name: `{ [path]: { [name]: lines } }`. A function without a name has that of the function, variable or
 * property around it. Exempt are tests, and migrations, because a released one is never edited.
 */
export function lengthBreaches(modules, allowed) {
  const breaches = [];
  const used = new Set();
  for (const { path, name, lines } of longFunctionsOf(modules)) {
    const linesMax = allowed[path]?.[name] ?? LINES_MAX;
    used.add(`${path}\n${name}`);
    if (lines > linesMax)
      breaches.push(`${path}: function ${name} has ${lines} lines, more than ${linesMax}: split it`);
  }
  for (const [path, names] of Object.entries(allowed))
    for (const name of Object.keys(names))
      if (!used.has(`${path}\n${name}`))
        breaches.push(
          `${path}: function ${name} is short now: remove it from scripts/laws/long-functions.json`,
        );
  return breaches;
}

function* longFunctionsOf(modules) {
  for (const { path, text, program } of modules.values()) {
    if (/\.test\.tsx?$|\/migrations\//.test(path) || linesOf(text) <= LINES_MAX) continue;
    for (const { node, name } of namedFunctionsOf(program(), '(module)')) {
      const lines = linesOf(text.slice(node.start, node.end));
      if (lines > LINES_MAX) yield { path, name, lines };
    }
  }
}

const linesOf = (text) => text.split('\n').length;

/** Yields all functions under a node with their names. */
function* namedFunctionsOf(node, around) {
  if (Array.isArray(node)) {
    for (const each of node) yield* namedFunctionsOf(each, around);
  } else if (typeof node === 'object' && node !== null) {
    const name = node.id?.name ?? node.key?.name ?? around;
    if (FUNCTIONS.has(node.type)) yield { node, name };
    for (const each of Object.values(node)) if (typeof each === 'object') yield* namedFunctionsOf(each, name);
  }
}

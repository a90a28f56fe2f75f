/** The rule that no operation does something for somebody without checking their permission first. */

/** Who operations are done for, by the name of the type, and the check of their permission. */
const CHECKS = new Map([
  ['Operator', 'requireOperatorPermission'],
  ['Actor', 'requirePermission'],
  ['Session', 'requirePermission'],
]);
const MENTIONED = new RegExp(String.raw`\b(${[...CHECKS.keys()].join('|')})\b`);

/**
 * Exported functions of server modules that take one of {@link CHECKS} and do not begin with the check, or take it elsewhere
 * than as the second parameter. Exempt are those that take a transaction too: they are a part of what their caller has
 * checked. Look-ups within a checked call take an `Owner`.
 */
export function* permissionBreaches({ path, text, program }) {
  if (!path.startsWith('packages/server/src/modules/') || !MENTIONED.test(text)) return;
  for (const { name, node } of exportedFunctions(program())) {
    const types = node.params.map(typeNameOf);
    const at = types.findIndex((type) => CHECKS.has(type));
    const isPart = node.params.some((param) => /\bTx\b/.test(text.slice(param.start, param.end)));
    if (at < 0 || isPart) continue;
    const check = CHECKS.get(types[at]);
    if (at !== 1) yield `${name} takes an ${types[at]} as another parameter than the second`;
    else if (!isChecked(node, check))
      yield `${name} does not begin with ${check}(), which any caller could forget`;
  }
}

function* exportedFunctions({ body }) {
  for (const { type, declaration } of body) {
    if (type !== 'ExportNamedDeclaration' || !declaration) continue;
    if (declaration.type === 'FunctionDeclaration') yield { name: declaration.id.name, node: declaration };
    for (const { id, init } of declaration.declarations ?? [])
      if (init?.type === 'ArrowFunctionExpression') yield { name: id.name, node: init };
  }
}

/** The name of a parameter's type, also where the parameter has a default. */
function typeNameOf({ left, typeAnnotation }) {
  return (left ?? { typeAnnotation }).typeAnnotation?.typeAnnotation.typeName?.name;
}

function isChecked({ params, body }, check) {
  const call = body.type === 'BlockStatement' ? body.body[0]?.expression : body;
  return (
    call?.type === 'CallExpression' &&
    call.callee.name === check &&
    call.arguments[0]?.name === params[1].name
  );
}

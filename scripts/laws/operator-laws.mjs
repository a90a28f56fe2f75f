/** The rule that no function does something for an operator without checking the operator's permission first. */
const CHECK = 'requireOperatorPermission';

/**
 * Exported functions of server modules that take an `Operator` and do not begin with the check, or take it elsewhere than as
 * the second parameter. Exempt are those that take a transaction too: they are a part of what their caller has checked.
 */
export function* operatorBreaches({ path, text, program }) {
  if (!path.startsWith('packages/server/src/modules/') || !/\bOperator\b/.test(text)) return;
  for (const { name, node } of exportedFunctions(program())) {
    const at = node.params.findIndex((param) => typeNameOf(param) === 'Operator');
    const isPart = node.params.some((param) => /\bTx\b/.test(text.slice(param.start, param.end)));
    if (at < 0 || isPart) continue;
    if (at !== 1) yield `${name} takes an operator as another parameter than the second`;
    else if (!isChecked(node)) yield `${name} does not begin with ${CHECK}(), which any caller could forget`;
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

function isChecked({ params, body }) {
  const call = body.type === 'BlockStatement' ? body.body[0]?.expression : body;
  return (
    call?.type === 'CallExpression' && call.callee.name === CHECK && call.arguments[0].name === params[1].name
  );
}

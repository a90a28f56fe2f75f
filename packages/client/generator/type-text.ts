/** The part of JSON Schema that zod writes. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  items?: JsonSchema;
  prefixItems?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
}

/** The TypeScript type of the values that a schema allows; `nameOf` gives the name of a `$ref`. */
export function typeText(schema: JsonSchema, nameOf: (ref: string) => string): string {
  const text = (part: JsonSchema) => typeText(part, nameOf);
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const members = membersOf(schema);
  if (members) return union(members.map(text));
  if (schema.allOf) return schema.allOf.map((part) => `(${text(part)})`).join(' & ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map(text).join(', ')}]`;
      return `(${text(schema.items ?? {})})[]`;
    case 'object':
      return objectText(schema, text);
    default:
      return 'unknown';
  }
}

function objectText(
  { properties, required = [], additionalProperties }: JsonSchema,
  text: (part: JsonSchema) => string,
): string {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? text(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentText(schema.description)}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${text(schema)};`,
  );
  return `{ ${fields.join('\n')} }`;
}

function commentText(description: string | undefined): string {
  return description === undefined ? '' : `\n/** ${description.replaceAll('*/', '* /')} */\n`;
}

/** The alternatives of a schema, those of alternatives too; undefined where it is one. */
function membersOf(schema: JsonSchema): JsonSchema[] | undefined {
  const { type } = schema;
  const alternatives =
    schema.enum?.map((value) => ({ const: value })) ??
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : undefined);
  return alternatives?.flatMap((each: JsonSchema) => membersOf(each) ?? [each]);
}

/** A union without repeated types and without texts that `string` has anyway. */
function union(types: readonly string[]): string {
  const isText = (type: string) => type === 'string' || /^"(?:[^"\\]|\\.)*"$/.test(type);
  const kept = types.includes('string') ? ['string', ...types.filter((type) => !isText(type))] : types;
  return kept.length === 0 ? 'never' : [...new Set(kept)].map((type) => `(${type})`).join(' | ');
}

import { createHash } from 'node:crypto';

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDocument {
  info: { title: string; description?: string };
  /** The groups of calls that have a description. */
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Partial<Record<Method, Operation>>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

/** One call: a method at a path. */
export interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[];
  requestBody?: { content: Content };
  responses?: Record<
    string,
    {
      description?: string;
      content?: Content;
      headers?: Record<string, { description: string; schema: JsonSchema }>;
    }
  >;
}

type Content = Record<string, { schema?: JsonSchema }>;

/** JSON Schema as generated from the contract's schemas. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

interface Call {
  method: Method;
  path: string;
  operation: Operation;
}

/**
 * Renders the document as one HTML page without scripts: calls by group, with parameters, responses and an example. A script on the
 * console's origin could renew the session of a user who is logged in. Swagger UI and Scalar load 25 to 70 times as much for as many calls.
 */
export function docsPage(document: ApiDocument): string {
  const calls: Call[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
  const groups = new Map<string, Call[]>();
  for (const call of calls) groups.set(groupOf(call), [...(groups.get(groupOf(call)) ?? []), call]);
  const names = [...groups.keys()].sort();
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${text(document.info.title)}</title><style>${style}</style></head>
<body>
<nav aria-label="Groups"><strong>${text(document.info.title)}</strong>
${names.map((name) => `<a href="#${name}">${title(name)}</a>`).join('\n')}
<a href="#schemas">Schemas</a>
<a href="/api/openapi.json">openapi.json</a></nav>
<main><h1>${text(document.info.title)}</h1><p>${inline(document.info.description ?? '')}</p>
${names
  .map(
    (name) =>
      `<section id="${name}"><h2>${title(name)}</h2>${aboutOf(name, document)}${groups
        .get(name)!
        .map((call) => callOf(call, document))
        .join('\n')}</section>`,
  )
  .join('\n')}
<section id="schemas"><h2>Schemas</h2>${Object.entries(document.components?.schemas ?? {})
    .map(([name, schema]) => table(name, rowsOf(schema, '', document), `schema-${name}`))
    .join('\n')}</section>
</main></body></html>`;
}

/** The description of a group of calls, if it has one. */
function aboutOf(group: string, { tags = [] }: ApiDocument): string {
  const about = tags.find(({ name }) => name === group)?.description;
  return about === undefined ? '' : `<p>${inline(about)}</p>`;
}

const groupOf = ({ operation }: Call) => operation.tags?.[0] ?? 'other';

function callOf({ method, path, operation }: Call, document: ApiDocument): string {
  const body = operation.requestBody;
  const responses = Object.entries(operation.responses ?? {});
  const parameters = operation.parameters ?? [];
  const success = responses.find(([status]) => status.startsWith('2'))?.[1];
  return `<details><summary><code class="${method}">${method.toUpperCase()}</code> <code>${text(path)}</code>
<span>${text(operation.summary ?? '')}</span></summary>
${operation.description ? `<p>${inline(operation.description)}</p>` : ''}
${operation.security?.length === 0 ? '<p>Needs no session.</p>' : ''}
${parameters.length > 0 ? table('Parameters', parameters.map(parameterRow)) : ''}
${Object.entries(body?.content ?? {})
  .map(([type, { schema }]) => part(`Body, ${type}`, schema, document))
  .join('')}
${Object.entries(success?.content ?? {})
  .map(([type, { schema }]) => part(`Response, ${type}`, schema, document))
  .join('')}
<p>Statuses: ${responses.map(([status]) => `<code>${status}</code>`).join(' ')}</p></details>`;
}

function parameterRow(parameter: NonNullable<Operation['parameters']>[number]): Row {
  const { schema } = parameter;
  const fallback = schema?.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
  return [
    `${parameter.name}${parameter.required ? ' *' : ''}`,
    typeOf(schema),
    `in ${parameter.in}${fallback}`,
  ];
}

function part(heading: string, schema: JsonSchema | undefined, document: ApiDocument): string {
  const whole = resolve(schema, document);
  // Show the contents of the envelope rather than the envelope.
  const { data } = whole.properties ?? {};
  const inner = data && Object.keys(whole.properties ?? {}).length === 1 ? resolve(data, document) : whole;
  const example = exampleOf(whole, document);
  return (
    table(heading, rowsOf(inner, '', document)) +
    (example === undefined ? '' : `<pre>${text(JSON.stringify(example, null, 2))}</pre>`)
  );
}

type Row = [name: string, typeHtml: string, rules: string];

/** A row for each field of a schema and of the objects in it; fields of a named schema are listed under its name. */
function rowsOf(schema: JsonSchema, path: string, document: ApiDocument): Row[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): Row[] => {
    const seen = resolve(property, document);
    const rules = rulesOf(seen) + (seen.description ? ` ${seen.description}` : '');
    const row: Row = [`${path}${name}${required.has(name) ? ' *' : ''}`, typeOf(property), rules];
    return [
      row,
      ...objectsIn(property, `${path}${name}`).flatMap(([at, object]) => rowsOf(object, `${at}.`, document)),
    ];
  });
}

/** Objects without a name that a value may be or, in brackets, that its items may be. */
function objectsIn(schema: JsonSchema, path: string): [path: string, object: JsonSchema][] {
  if (schema.properties) return [[path, schema]];
  if (schema.items) return objectsIn(schema.items, `${path}[]`);
  return choicesOf(schema).flatMap((choice) => objectsIn(choice, path));
}

const choicesOf = ({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] => [...anyOf, ...oneOf];

function resolve(schema: JsonSchema | undefined, document: ApiDocument): JsonSchema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name ? document.components?.schemas?.[name] : schema) ?? {};
}

/** A schema's own example, or one composed of its properties' examples. */
function exampleOf(schema: JsonSchema, document: ApiDocument): unknown {
  const own: unknown = schema.examples?.[0] ?? schema.default;
  if (own !== undefined) return own;
  if (schema.type === 'array') {
    const item = exampleOf(resolve(schema.items, document), document);
    return item === undefined ? undefined : [item];
  }
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const value = exampleOf(resolve(property, document), document);
    return value === undefined ? [] : [[name, value] as const];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** The type of a value, as HTML; schemas with a name are links. */
function typeOf(schema: JsonSchema | undefined): string {
  if (!schema) return '';
  if (schema.$ref) {
    const name = text(schema.$ref.split('/').at(-1)!);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.enum) return text(schema.enum.map((value) => JSON.stringify(value)).join(' | '));
  if (schema.const !== undefined) return text(JSON.stringify(schema.const));
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map((one) => typeOf(one)))].join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  const types = [schema.type ?? []].flat().join(' | ');
  return text(schema.format ? `${types} (${schema.format})` : types);
}

function rulesOf(schema: JsonSchema): string {
  const rules: [string, unknown][] = [
    ['at least', schema.minimum],
    ['at most', schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum],
    ['above', schema.exclusiveMinimum],
    ['characters, at least', schema.minLength],
    ['characters, at most', schema.maxLength],
    ['items, at least', schema.minItems],
    ['items, at most', schema.maxItems],
  ];
  return rules
    .filter(([, value]) => value !== undefined)
    .map(([rule, value]) => `${rule} ${String(value)}`)
    .join(', ');
}

function table(heading: string, rows: readonly Row[], id?: string): string {
  const anchor = id === undefined ? '' : ` id="${text(id)}"`;
  if (rows.length === 0) return `<h3${anchor}>${text(heading)}</h3>`;
  const cells = rows.map(
    ([name, type, rules]) =>
      `<tr><td><code>${text(name)}</code></td><td>${type}</td><td>${text(rules)}</td></tr>`,
  );
  return `<h3${anchor}>${text(heading)}</h3><div class="wide"><table><tbody>${cells.join('')}</tbody></table></div>`;
}

/** Titles that are not the name of the group with a capital. */
const titles: Record<string, string> = { api_keys: 'API keys', single_sign_on: 'Single sign-on' };

const title = (name: string) =>
  text(titles[name] ?? name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' '));

/** Escapes text and marks `code`. */
const inline = (value: string) => text(value).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `
:root{--line:#d8dce3;--soft:#f5f7fa;--ink:#1b2430;--quiet:#5a6675;--accent:#1d4fd7}
@media(prefers-color-scheme:dark){:root{--line:#353b45;--soft:#20242b;--ink:#e6e9ee;--quiet:#a3adba;--accent:#8fb0ff}body{background:#16191e}}
*{box-sizing:border-box}body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 210px;padding:24px 20px;border-right:1px solid var(--line);display:flex;flex-direction:column;gap:6px}
nav a{color:var(--ink);text-decoration:none}nav a:hover,nav a:focus{color:var(--accent)}
main{flex:1;min-width:0;max-width:980px;padding:24px 40px 80px}h1{margin-top:0}h2{margin-top:40px}h3{font-size:14px;color:var(--quiet);margin:18px 0 6px}
details{border:1px solid var(--line);border-radius:8px;margin:8px 0;padding:0 14px}details[open]{padding-bottom:12px}
summary{cursor:pointer;padding:10px 0;overflow-wrap:anywhere}summary span{color:var(--quiet);margin-left:8px;display:inline-block}
code{font:13px/1.4 ui-monospace,monospace}summary code:first-child{display:inline-block;min-width:58px;font-weight:700}
.get{color:#0b6b3a}.post{color:#1d4fd7}.put,.patch{color:#8a5300}.delete{color:#b3261e}
@media(prefers-color-scheme:dark){.get{color:#6fd49b}.post{color:#8fb0ff}.put,.patch{color:#f0b860}.delete{color:#ff9a92}}
td a{color:var(--accent)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:6px 14px 6px 0;vertical-align:top;font-size:14px}td:first-child{width:32%}td:nth-child(2){width:28%}
pre{background:var(--soft);border-radius:8px;padding:12px;overflow:auto;font:12.5px/1.5 ui-monospace,monospace}
@media(max-width:720px){body{display:block}nav{position:static;height:auto;flex-flow:row wrap;border:0;border-bottom:1px solid var(--line)}main{padding:20px}}
`;

/** Hash of the page's style element, for its content security policy. */
export const DOCS_STYLE_HASH = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

import { readFile } from 'node:fs/promises';

/** Validates a parsed bid response; returns an error message, or null if it is valid. */
export type BidCheck = (body: unknown) => string | null;

/**
 * Combines JSON schemas (2020-12, or drafts 4 to 7) into one check. Dangling references accept anything and are listed in
 * `dangling`. Throws an error that names the file if it is not a schema.
 */
export async function bidCheckOf(paths: readonly string[]): Promise<{ check: BidCheck; dangling: string[] }> {
  // Loaded lazily: only this option needs it.
  const { default: Ajv } = await import('ajv');
  const { default: Ajv2020 } = await import('ajv/dist/2020.js');
  const dangling: string[] = [];
  const checks: BidCheck[] = [];
  for (const path of paths) {
    const schema = await readSchema(path);
    const draft = schema['$schema'];
    const modern = typeof draft === 'string' && draft.includes('2020-12');
    const ajv = new (modern ? Ajv2020 : Ajv)({
      strict: false,
      allErrors: true,
      validateFormats: false,
      logger: false,
    });
    const prepared = prepare(schema, schema, (reference) => dangling.push(`${path}: ${reference}`));
    const validate = ajv.compile(prepared as JsonObject);
    checks.push((body) => (validate(body) ? null : `${path}: ${ajv.errorsText(validate.errors)}`));
  }
  const check: BidCheck = (body) => {
    for (const one of checks) {
      const problem = one(body);
      if (problem) return problem;
    }
    return null;
  };
  return { check, dangling };
}

type JsonObject = Record<string, unknown>;

async function readSchema(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8');
  try {
    const schema: unknown = JSON.parse(text);
    if (isObject(schema)) return schema;
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is not a JSON schema`);
}

/** Converts old drafts to one that the validator supports: no `$schema`, draft-4 `id` or boolean exclusive bounds. */
function prepare(node: unknown, root: JsonObject, onDangling: (reference: string) => void): unknown {
  if (Array.isArray(node)) return node.map((item) => prepare(item, root, onDangling));
  if (!isObject(node)) return node;
  const reference = node['$ref'];
  if (typeof reference === 'string' && reference.startsWith('#/') && !resolves(reference, root)) {
    onDangling(reference);
    return {};
  }
  const entries = Object.entries(node)
    .filter(([key, value]) => key !== '$schema' && !(key === 'id' && typeof value === 'string'))
    .filter(([key, value]) => !(/^exclusiveM(in|ax)imum$/.test(key) && typeof value === 'boolean'));
  return Object.fromEntries(entries.map(([key, value]) => [key, prepare(value, root, onDangling)]));
}

function resolves(reference: string, root: JsonObject): boolean {
  let node: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[name] : Array.isArray(node) ? node[Number(name)] : undefined;
  }
  return node !== undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

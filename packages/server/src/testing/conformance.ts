import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { documentOf } from '../platform/http/openapi/document.ts';
import type { ApiDocument } from '../platform/http/openapi/page.ts';
import type { Http } from '../platform/http/server.ts';

/** An answer as it left the server. */
export interface Answered {
  method: string;
  /** With its query. */
  url: string;
  status: number;
  contentType: string;
  body: string;
}

/** Statuses that any call may answer when the server itself is in trouble; the document says so once, at its head. */
const always = new Set([500, 503]);

let latest: { routes: string; conformance: ReturnType<typeof conformanceTo> } | undefined;

/** {@link conformanceTo} a server's document, which servers in turn with the same routes share. */
export function conformanceOf(http: Http): ReturnType<typeof conformanceTo> {
  const routes = http.printRoutes();
  if (latest?.routes !== routes) latest = { routes, conformance: conformanceTo(documentOf(http)) };
  return latest.conformance;
}

/**
 * Holds answers against the OpenAPI document: the fault in one sentence, or null when the document describes it (or has
 * no such call).
 */
export function conformanceTo(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const templates = Object.keys(document.paths ?? {})
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    // Exact addresses before templates: /app/batch is not /app/{uuid}.
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  const compiled = new Map<string, ValidateFunction>();

  /** The document's `METHOD /path/{template}` of a request; null for what it does not list. */
  const operationOf = (method: string, url: string): string | null => {
    const path = url.split('?')[0]!;
    const found = templates.find(
      ({ path: template, pattern }) =>
        pattern.test(path) && document.paths![template]![method.toLowerCase() as 'get'],
    );
    return found ? `${method.toUpperCase()} ${found.path}` : null;
  };

  const faultOf = (answer: Answered): string | null => {
    const operation = operationOf(answer.method, answer.url);
    if (!operation || always.has(answer.status)) return null;
    const [method, path] = operation.split(' ') as [string, string];
    const described = document.paths![path]![method.toLowerCase() as 'get']!.responses?.[answer.status];
    const where = `${operation} answered ${answer.status}`;
    if (!described) return `${where}, which the document does not list: ${answer.body.slice(0, 200)}`;
    if (!described.content?.['application/json']) return null;
    if (!answer.contentType.includes('json')) return `${where} as ${answer.contentType}`;
    const pointer = [path, method.toLowerCase()].map((part) =>
      part.replaceAll('~', '~0').replaceAll('/', '~1'),
    );
    const ref = `api#/paths/${pointer.join('/')}/responses/${answer.status}/content/application~1json/schema`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    if (validate(JSON.parse(answer.body))) return null;
    const [first] = validate.errors ?? [];
    return `${where} with ${first?.instancePath ?? ''} that ${first?.message ?? 'is wrong'} ${JSON.stringify(first?.params)}`;
  };
  return { operationOf, faultOf };
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { documentOf } from '@bidwell/server/platform/http/openapi/document';
import type { ApiDocument } from '@bidwell/server/platform/http/openapi/page';
import type { Http } from '@bidwell/server/platform/http/server';

/** A response as sent by the server. */
export interface SentResponse {
  method: string;
  /** Includes the query. */
  url: string;
  status: number;
  contentType: string;
  body: string;
}

/** Statuses that any call may return; the document states them once, in its introduction. */
const always = new Set([429, 500, 503]);

const known = new Map<string, ReturnType<typeof conformanceTo>>();

/** {@link conformanceTo} a server's document, made once for all servers of the process with the same routes. */
export function conformanceOf(http: Http): ReturnType<typeof conformanceTo> {
  const routes = http.printRoutes();
  const conformance = known.get(routes) ?? conformanceTo(documentOf(http));
  known.set(routes, conformance);
  return conformance;
}

/**
 * Validates responses against the OpenAPI document: returns an error message, or null if the document allows the response
 * (or does not list the call).
 */
export function conformanceTo(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const templates = Object.keys(document.paths ?? {})
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    // Exact paths before templates: /app/batch is not /app/{uuid}.
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  const compiled = new Map<string, ValidateFunction>();

  /** The document's `METHOD /path/{template}` of a request; null if it is not listed. */
  const operationOf = (method: string, url: string): string | null => {
    const path = url.split('?')[0]!;
    const found = templates.find(
      ({ path: template, pattern }) =>
        pattern.test(path) && document.paths![template]![method.toLowerCase() as 'get'],
    );
    return found ? `${method.toUpperCase()} ${found.path}` : null;
  };

  const faultOf = (response: SentResponse): string | null => {
    const operation = operationOf(response.method, response.url);
    if (!operation || always.has(response.status)) return null;
    const [method, path] = operation.split(' ') as [string, string];
    const described = document.paths![path]![method.toLowerCase() as 'get']!.responses?.[response.status];
    const where = `${operation} answered ${response.status}`;
    if (!described) return `${where}, which the document does not list: ${response.body.slice(0, 200)}`;
    if (!described.content?.['application/json']) return null;
    if (!response.contentType.includes('json')) return `${where} as ${response.contentType}`;
    const pointer = [path, method.toLowerCase()].map((part) =>
      part.replaceAll('~', '~0').replaceAll('/', '~1'),
    );
    const ref = `api#/paths/${pointer.join('/')}/responses/${response.status}/content/application~1json/schema`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    if (validate(JSON.parse(response.body))) return null;
    const [first] = validate.errors ?? [];
    return `${where} with ${first?.instancePath ?? ''} that ${first?.message ?? 'is wrong'} ${JSON.stringify(first?.params)}`;
  };
  return { faultOf };
}

import { arrayOf, objectOf } from './json.ts';

/**
 * Parses the JSON of a bid request. A byte order mark before it is ignored. Ids of the request and its imps, which the response
 * repeats, are texts in the standard; where one is a number that would lose digits, all ids that are such numbers become texts
 * with the same digits. Throws SyntaxError.
 */
export function parseRequest(text: string): unknown {
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  const request: unknown = JSON.parse(json);
  return losesDigits(request) ? JSON.parse(withTextIds(json)) : request;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Whether an id that the response repeats is a number that JavaScript may not write as it was written. */
function losesDigits(request: unknown): boolean {
  const { id, imp } = objectOf(request);
  return isInexact(id) || arrayOf(imp, Infinity).some((one) => isInexact(objectOf(one)['id']));
}

function isInexact(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id);
}

/** A name in quotes and a number are found in no text of JSON, in which quotes are escaped. */
function withTextIds(json: string): string {
  return json.replaceAll(/("id"\s*:\s*)(-?\d[\d.eE+-]*)/g, (whole, name: string, number: string) =>
    isInexact(Number(number)) ? `${name}"${number}"` : whole,
  );
}

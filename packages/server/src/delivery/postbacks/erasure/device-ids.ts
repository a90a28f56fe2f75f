import { hash } from 'node:crypto';

/** Characters that may be within an id, in a class of a regular expression. */
const ID_CHARS = '\\w.:@-';
/** Characters within an id that also separate it from a text beside it, as in `gaid:ID`. */
const SEPARATOR = /[.:@]/;
const BETWEEN_IDS = new RegExp(`[^${ID_CHARS}]+`);
/** What is between an id and another one, in a class of a regular expression. */
export const NOT_BESIDE_ID = '[^\\w-]';

/** Shortest text that is compared with ids of devices. Shorter ones also occur as other values. */
const ID_CHARS_MIN = 8;

/**
 * The forms in which partners send the id of a device or a person, in lower case: the id itself, a UUID without its hyphens, and
 * their hashes in hexadecimal. The first one is the id.
 */
export function formsOfId(id: string): string[] {
  const plain = id.trim();
  const spellings = [plain, plain.replaceAll('-', '')].flatMap((text) => [
    text.toLowerCase(),
    text.toUpperCase(),
    text,
  ]);
  const hashes = ['md5', 'sha1', 'sha256'].flatMap((algorithm) =>
    spellings.map((spelling) => hash(algorithm, spelling)),
  );
  return [...new Set([...spellings.map((spelling) => spelling.toLowerCase()), ...hashes])].filter(
    (form) => form.length >= ID_CHARS_MIN,
  );
}

/** Parts of a text between two separators, of which each run is compared; a text of more parts is compared in whole and by part. */
const PARTS_MAX = 8;

/** Longest id, as erasures accept them. */
const ID_CHARS_MAX = 100;
/** Texts of a postback that are compared: a usual one has tens, and nobody's postbacks may take the time of others. */
const IDS_MAX = 1000;

/**
 * The texts in the values of a postback's parameters that may be such ids, in lower case: also within JSON, lists and percent-encoded
 * values; at most {@link IDS_MAX}. Names of parameters are no ids, and neither is a text without a digit.
 */
export function idsIn(parameters: Readonly<Record<string, string>>): Set<string> {
  const ids = new Set<string>();
  for (const value of Object.values(parameters))
    for (const text of value.includes('%') ? [value, decoded(value)] : [value])
      for (const part of text.toLowerCase().split(BETWEEN_IDS))
        for (const id of part.length < ID_CHARS_MIN ? [] : runsOf(part)) {
          if (id.length >= ID_CHARS_MIN && id.length <= ID_CHARS_MAX && /\d/.test(id)) ids.add(id);
          if (ids.size === IDS_MAX) return ids;
        }
  return ids;
}

/** A text and what is between any two of its separators. */
function* runsOf(text: string): Iterable<string> {
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) if (SEPARATOR.test(text[at]!)) starts.push(at + 1);
  if (starts.length > PARTS_MAX) {
    yield text;
    yield* text.split(SEPARATOR);
    return;
  }
  const ends = [...starts.slice(1).map((start) => start - 1), text.length];
  for (const start of starts) for (const end of ends) if (end > start) yield text.slice(start, end);
}

function decoded(value: string): string {
  return value.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

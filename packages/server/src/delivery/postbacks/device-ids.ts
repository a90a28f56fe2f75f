import { hash } from 'node:crypto';

/** Characters of ids, in a class of a regular expression. */
export const ID_CHARS = '\\w.:@-';
const BETWEEN_IDS = new RegExp(`[^${ID_CHARS}]+`);

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

/** The texts in some parameters that may be such ids, in lower case; also those within JSON and lists. */
export function idsIn(parameters: string): Set<string> {
  return new Set(
    parameters
      .toLowerCase()
      .split(BETWEEN_IDS)
      .filter((text) => text.length >= ID_CHARS_MIN),
  );
}

import { randomInt } from 'node:crypto';

/** Without characters that people confuse when they read a secret aloud or type it. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** A random secret that a person can read aloud, in groups of five characters with 24.7 bits each. */
export function readableSecret(groups: number): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

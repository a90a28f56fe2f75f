/**
 * A name in which no mail program finds an address to link: a mail goes to strangers, in the name of the server, and anybody may call a
 * company anything. Pure.
 */
export function unlinked(name: string): string {
  return name
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '. ')
    .replaceAll('://', ': //')
    .replaceAll('@', ' @ ');
}

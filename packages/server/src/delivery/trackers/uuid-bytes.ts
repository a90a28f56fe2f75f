const DASH = 45;

/** Writes the 16 bytes of a UUID without an intermediate string; returns the offset after them. */
export function writeUuid(bytes: Buffer, at: number, uuid: string): number {
  const end = at + 16;
  let position = at;
  for (let index = 0; position < end; index += 2) {
    if (uuid.charCodeAt(index) === DASH) index += 1;
    bytes[position++] = (hexDigit(uuid.charCodeAt(index)) << 4) | hexDigit(uuid.charCodeAt(index + 1));
  }
  return end;
}

/** 0-9, a-f, A-F: in ASCII the letters' low bits count from 1. */
function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code & 0xf) + 9;
}

/** The UUID at an index of a hexadecimal string of several UUIDs. */
export function uuidIn(hex: string, index: number): string {
  const at = index * 32;
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${hex.slice(at + 12, at + 16)}-${hex.slice(at + 16, at + 20)}-${hex.slice(at + 20, at + 32)}`;
}

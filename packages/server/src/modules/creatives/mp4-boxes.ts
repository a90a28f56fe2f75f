import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

/** Top-level boxes of a file; a fragmented one has two for each fragment. */
const BOXES_MAX = 5000;
/** The index of two minutes of video and sound is well below a megabyte; readers hold it in memory. */
const INDEX_BYTES_MAX = 8 * 1024 * 1024;
const indexTypes = new Set(['moov', 'moof', 'sidx', 'mfra']);

/**
 * True when a file is made of ISO base media boxes (ISO 14496-12, 4.2) that fill it to its last byte, with an index of a
 * sensible size: so the end of the file is there, which its index alone cannot tell.
 */
export async function isWholeMp4(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size: fileBytes } = await file.stat();
    const types: string[] = [];
    let indexBytes = 0;
    for (let at = 0; at < fileBytes && types.length <= BOXES_MAX;) {
      const box = await boxAt(file, at, fileBytes);
      if (!box || at + box.bytes > fileBytes) return false;
      types.push(box.type);
      if (indexTypes.has(box.type)) indexBytes += box.bytes;
      at += box.bytes;
    }
    // Old QuickTime files begin without saying what they are.
    const begins = types[0] === 'ftyp' || types.includes('mdat');
    return begins && types.includes('moov') && types.length <= BOXES_MAX && indexBytes <= INDEX_BYTES_MAX;
  } finally {
    await file.close();
  }
}

/** The box that begins at a place; null for what cannot be one. */
async function boxAt(
  file: FileHandle,
  at: number,
  fileBytes: number,
): Promise<{ type: string; bytes: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at);
  if (bytesRead < 8) return null;
  const type = buffer.toString('latin1', 4, 8);
  const short = buffer.readUInt32BE(0);
  // 0: to the end of the file. 1: the length stands in the eight bytes that follow.
  if (short === 0) return { type, bytes: fileBytes - at };
  if (short !== 1) return short < 8 ? null : { type, bytes: short };
  if (bytesRead < 16) return null;
  const bytes = Number(buffer.readBigUInt64BE(8));
  return bytes < 16 ? null : { type, bytes };
}

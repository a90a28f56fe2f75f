import { type FileHandle, open } from 'node:fs/promises';

/** Most top-level boxes of a file. A fragmented file has two for each fragment. */
const BOXES_MAX = 5000;
/** Most bytes of index boxes, which parsers hold in memory. Two minutes of video and sound need well below a megabyte. */
const INDEX_BYTES_MAX = 8 * 1024 * 1024;
const indexTypes = new Set(['moov', 'moof', 'sidx', 'mfra']);

/**
 * Whether a file consists of ISO base media boxes (ISO 14496-12, 4.2) that fill it exactly, with an index of bounded
 * size. Detects truncation, which the index alone does not show.
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
    // Old QuickTime files have no `ftyp` box.
    const begins = types[0] === 'ftyp' || types.includes('mdat');
    return begins && types.includes('moov') && types.length <= BOXES_MAX && indexBytes <= INDEX_BYTES_MAX;
  } finally {
    await file.close();
  }
}

/** Reads the header of the box at offset `at`; null if it is not valid. */
async function boxAt(
  file: FileHandle,
  at: number,
  fileBytes: number,
): Promise<{ type: string; bytes: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at);
  if (bytesRead < 8) return null;
  const type = buffer.toString('latin1', 4, 8);
  const short = buffer.readUInt32BE(0);
  // Size 0: the box extends to the end of the file. Size 1: the next eight bytes contain the size.
  if (short === 0) return { type, bytes: fileBytes - at };
  if (short !== 1) return short < 8 ? null : { type, bytes: short };
  if (bytesRead < 16) return null;
  const bytes = Number(buffer.readBigUInt64BE(8));
  return bytes < 16 ? null : { type, bytes };
}

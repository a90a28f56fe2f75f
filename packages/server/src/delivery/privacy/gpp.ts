import { canadaAllows } from './canada.ts';
import { BitReader, type ConsentNeeds, tcfAllows } from './tcf.ts';

/**
 * Whether every applicable section (`regs.gpp_sid`) of a GPP string (IAB Tech Lab, "Global Privacy Platform String", 1.0)
 * allows a use: consent in the European and the Canadian section; in sections of the USA no opt-out of the sale or
 * sharing of data or of targeted ads, and never precise geolocation, which is sensitive data there. An applicable section that is missing or
 * cannot be read allows nothing.
 */
export function gppAllows(
  gpp: string,
  applying: readonly number[],
  vendorId: number | null,
  needs: ConsentNeeds,
): boolean {
  // 0 and -1 mean that no section applies.
  const ids = applying.filter((id) => id > 0);
  if (ids.length === 0) return true;
  const sections = sectionsOf(gpp);
  return ids.every((id) => sectionAllows(id, sections.get(id) ?? '', vendorId, needs));
}

const STRING_CHARS_MAX = 10_000;
const SECTIONS_MAX = 50;
const HEADER_TYPE = 3;
const HEADER_VERSION = 1;

/** The TCF string of Europe in a GPP string; '' for none. */
export function tcfStringIn(gpp: string): string {
  return sectionsOf(gpp).get(TCF_EU) ?? '';
}

/** Sections by id. The header lists the ids in the order of the sections. */
function sectionsOf(gpp: string): Map<number, string> {
  const [header = '', ...sections] = gpp.length > STRING_CHARS_MAX ? [] : gpp.split('~');
  return new Map(idsIn(new BitReader(header)).map((id, index) => [id, sections[index] ?? '']));
}

/** Decodes ranges of ascending ids; each number is the Fibonacci-coded difference from the previous one. */
function idsIn(bits: BitReader): number[] {
  if (bits.read(0, 6) !== HEADER_TYPE || bits.read(6, 6) !== HEADER_VERSION) return [];
  const ids: number[] = [];
  let at = 24;
  let last = 0;
  const next = (): number => {
    const { value, end } = bits.fibonacci(at);
    at = end;
    return last + value;
  };
  for (let left = bits.read(12, 12); left > 0 && at < bits.length; left -= 1) {
    const isRange = bits.read(at, 1) === 1;
    at += 1;
    last = next();
    const first = last;
    if (isRange) last = next();
    for (let id = first; id <= last && ids.length < SECTIONS_MAX; id += 1) ids.push(id);
  }
  return ids;
}

/** Section ids (IAB Tech Lab, GPP "Section Information"). */
const TCF_EU = 2;
const TCF_CANADA = 5;
const US_PRIVACY = 6;
const US_NATIONAL = 7;
const UTAH = 11;
const IOWA = 18;
const MARYLAND = 24;
const RHODE_ISLAND = 27;
/** Versions of the sections, which have their opt-outs at the same places. */
const VERSIONS = [1, 2];
/** The core and one segment of each type, and room for types that do not exist yet. */
const SEGMENTS_MAX = 8;
/** Values of an opt-out that allow: it does not apply, and it was not chosen. 1 is chosen, and 3 is no value. */
const ALLOWING = [0, 2];
/** Segment type 1 with the flag set: Global Privacy Control, a signal of the browser or app against the sale of data. */
const GLOBAL_PRIVACY_CONTROL = 0b011;

function sectionAllows(id: number, section: string, vendorId: number | null, needs: ConsentNeeds): boolean {
  if (id === TCF_EU) return tcfAllows(section, vendorId, needs);
  if (id === TCF_CANADA) return canadaAllows(section, vendorId, needs);
  if (needs.preciseLocation) return false;
  if (id === US_PRIVACY) return isUsPrivacyString(section) && !isOptedOutOfSale(section);
  if (section === '' || id < US_NATIONAL || id > RHODE_ISLAND) return false;
  const [core, ...segments] = section.split('.', SEGMENTS_MAX + 1).map((text) => new BitReader(text));
  const optOuts = optOutsAt(id);
  const isReadable =
    VERSIONS.includes(core!.read(0, 6)) &&
    core!.length >= Math.max(...optOuts) + 2 &&
    segments.length < SEGMENTS_MAX &&
    segments.every(({ length }) => length > 0);
  return (
    isReadable &&
    optOuts.every((at) => ALLOWING.includes(core!.read(at, 2))) &&
    segments.every((segment) => segment.read(0, 3) !== GLOBAL_PRIVACY_CONTROL)
  );
}

/** Bit offsets of the opt-outs of sale, sharing and targeted ads in a section of the USA. */
function optOutsAt(id: number): readonly number[] {
  if (id === US_NATIONAL) return [18, 20, 22];
  if (id === UTAH || id === IOWA) return [14, 16];
  return id >= MARYLAND ? [16, 18] : [12, 14];
}

/** Whether a text is a US Privacy String of version 1 (IAB Tech Lab, "U.S. Privacy String", 1.0). */
export function isUsPrivacyString(text: string): boolean {
  return /^1[yn-]{3}$/i.test(text.trim());
}

/** Whether a US Privacy String opts out of the sale of personal data. */
export function isOptedOutOfSale(usPrivacy: string): boolean {
  return /^\s*1.y/i.test(usPrivacy);
}

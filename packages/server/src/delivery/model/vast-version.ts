/** Supported versions of VAST with their codes in AdCOM 1.0, "Creative Subtypes - Audio/Video", newest first. */
const versions = [
  ['4.2', 13],
  ['4.1', 11],
  ['4.0', 7],
  ['3.0', 3],
  ['2.0', 2],
] as const;
export type VastVersion = (typeof versions)[number][0];

/** The newest supported version among a request's protocols, and its code; null without one. VAST 3.0 when it lists none. */
export function vastVersion(protocols: readonly number[]): { version: VastVersion; protocol: number } | null {
  for (const [version, protocol] of versions) if (protocols.includes(protocol)) return { version, protocol };
  return protocols.length === 0 ? { version: '3.0', protocol: 3 } : null;
}

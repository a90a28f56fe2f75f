import { MMPS, type Mmp } from '../../apps/fields.ts';
import { adjust } from './adjust.ts';
import { appmetrica } from './appmetrica.ts';
import { appsflyer } from './appsflyer.ts';
import { branch } from './branch.ts';
import type { Partner, PostbackParameter } from './description.ts';
import { kochava } from './kochava.ts';
import { other } from './other.ts';
import { singular } from './singular.ts';
import { tenjin } from './tenjin.ts';

/** The measurement partners. docs/measurement.md has the same as a table; a test compares them. */
export const PARTNERS: Readonly<Record<Mmp, Partner>> = {
  appsflyer,
  adjust,
  appmetrica,
  singular,
  branch,
  kochava,
  tenjin,
  other,
};

/** Display names of the measurement partners. */
export const mmpNames = Object.fromEntries(MMPS.map((mmp) => [mmp, PARTNERS[mmp].name])) as Record<
  Mmp,
  string
>;

/** The name of a partner within a sentence. */
export function partnerInText(mmp: Mmp): string {
  return mmp === 'other' ? 'your partner' : mmpNames[mmp];
}

/** The measurement partner of a host; undefined for other hosts. */
export function mmpOfHost(host: string): Mmp | undefined {
  return MMPS.find((mmp) =>
    PARTNERS[mmp].links.domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  );
}

/** The postbacks to set up at a partner, each with its parameters and their macros. */
export function postbackQueries(
  mmp: Mmp,
): { purpose: string; parameters: [name: string, macro: string][] }[] {
  const { setups, macros } = PARTNERS[mmp].postbacks;
  return setups.map(({ purpose, parameters }) => ({
    purpose,
    parameters: parameters.flatMap((parameter): [string, string][] => {
      const [name = '', value = macros[name as PostbackParameter]] = splitOnce(parameter);
      return value === undefined ? [] : [[name, value]];
    }),
  }));
}

function splitOnce(text: string): string[] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

import { GppModel } from '@iabgpp/cmpapi';
import {
  type GVL,
  PurposeRestriction,
  RestrictionType,
  Segment,
  SegmentEncoder,
  TCModel,
  TCString,
} from '@iabtcf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { gppAllowsDeviceId } from './gpp.ts';
import { allowsDeviceId } from './tcf.ts';

/** Sections of the USA: their names by id, from the national one to Rhode Island's. */
const USA =
  'usnat usca usva usco usut usct usfl usmt usor ustx usde usia usne usnh usnj ustn usmn usmd usin usky usri'
    .split(' ')
    .map((name, index) => ({ id: 7 + index, name }));
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];

const purposes = fc.subarray(
  Array.from({ length: 24 }, (_, index) => index + 1),
  { minLength: 0 },
);
/** With both purposes that matter in half of the cases, as otherwise most strings allow nothing. */
const anyPurposes = fc.oneof(
  purposes,
  purposes.map((some) => [...new Set([1, 7, ...some])]),
);
/** Few vendors and ranges of vendors, so that both encodings of the list occur. */
const anyVendors = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1500 }), fc.nat(40)), { maxLength: 12 })
  .map((ranges) =>
    ranges.flatMap(([first, more]) => Array.from({ length: more + 1 }, (_, index) => first + index)),
  );
/** A vendor of the list or next to it, by its place, or any. */
const anyVendor = (vendors: readonly number[], position: number): number =>
  vendors.length === 0 ? position + 1 : Math.max(1, vendors[position % vendors.length]! + (position % 3) - 1);

/** Which vendors a string discloses: all that have a consent, every second one, or none as it has no such segment. */
const anyDisclosed = fc.constantFrom('all', 'half', 'no segment');
function disclosedOf(vendors: readonly number[], which: string): readonly number[] | null {
  if (which === 'no segment') return null;
  return which === 'all' ? vendors : vendors.filter((id) => id % 2 === 0);
}

const GVL_OF_ALL = { vendorIds: new Set(Array.from({ length: 2000 }, (_, id) => id)) } as GVL;

/** A publisher restriction. Type 0 forbids the purpose, 1 requires consent, 2 requires legitimate interest. */
interface Restriction {
  vendors: readonly number[];
  purpose: number;
  type: number;
}

function tcfOf(
  purposeIds: readonly number[],
  vendorIds: readonly number[],
  disclosedIds: readonly number[] | null,
  restrictions: readonly Restriction[] = [],
): string {
  const model = new TCModel();
  model.cmpId = 31;
  model.cmpVersion = 2;
  model.vendorListVersion = 200;
  model.policyVersion = 5;
  model.consentLanguage = 'EN';
  model.publisherCountryCode = 'DE';
  model.purposeConsents.set([...purposeIds]);
  model.purposeLegitimateInterests.set([2, 7, 9]);
  model.vendorConsents.set([...vendorIds]);
  model.vendorLegitimateInterests.set([1, 755]);
  // The encoder merges ranges across the vendors that the list does not have: here it has all.
  model.publisherRestrictions.gvl = GVL_OF_ALL;
  for (const { vendors, purpose, type } of restrictions)
    for (const vendor of vendors)
      model.publisherRestrictions.add(vendor, new PurposeRestriction(purpose, type));
  model.created = new Date(Date.UTC(2026, 1, disclosedIds ? 28 : 27));
  model.vendorsDisclosed.set([...(disclosedIds ?? [])]);
  const core = SegmentEncoder.encode(model, Segment.CORE);
  return disclosedIds ? `${core}.${SegmentEncoder.encode(model, Segment.VENDORS_DISCLOSED)}` : core;
}

/** Whether a TCF string allows bidding, as `@iabtcf/core` reads it. Throws if it cannot be read. */
function tcfAllows(consent: string, vendorId: number): boolean {
  const model = TCString.decode(consent);
  const { version, purposeConsents, vendorConsents, vendorsDisclosed, publisherRestrictions } = model;
  const isRestricted = publisherRestrictions
    .getRestrictions(vendorId)
    .some(
      ({ purposeId, restrictionType }) =>
        [1, 7].includes(purposeId) && restrictionType !== RestrictionType.REQUIRE_CONSENT,
    );
  return (
    version === 2 &&
    !isRestricted &&
    purposeConsents.has(1) &&
    purposeConsents.has(7) &&
    vendorConsents.has(vendorId) &&
    (!consent.includes('.') || vendorsDisclosed.has(vendorId))
  );
}

const anyRestriction = fc.record({
  purpose: fc.constantFrom(1, 4, 7, 10),
  type: fc.nat(2),
  from: fc.nat(40),
});

test('a TCF string is read as @iabtcf/core reads it', () => {
  const results = new Set<boolean>();
  fc.assert(
    fc.property(
      anyPurposes,
      anyVendors,
      fc.nat(2000),
      anyDisclosed,
      fc.array(anyRestriction, { maxLength: 3 }),
      (some, vendors, position, disclosure, restricted) => {
        const restrictions = restricted.map(({ from, ...rest }) => ({
          ...rest,
          vendors: vendors.slice(from),
        }));
        const consent = tcfOf(some, vendors, disclosedOf(vendors, disclosure), restrictions);
        const vendorId = anyVendor(vendors, position);
        results.add(allowsDeviceId(consent, vendorId));
        expect(allowsDeviceId(consent, vendorId)).toBe(tcfAllows(consent, vendorId));
      },
    ),
    runs(300),
  );
  expect(results).toEqual(new Set([true, false]));
});

test('a modified TCF string allows no more than @iabtcf/core reads', () => {
  const change = fc.tuple(fc.nat(400), fc.constantFrom(...'AZaz09-_'.split('')));
  fc.assert(
    fc.property(
      anyVendors,
      fc.nat(2000),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      (vendors, position, changes) => {
        const characters = tcfOf([1, 7], vendors, null).split('');
        for (const [at, character] of changes) characters[at % characters.length] = character;
        const consent = characters.join('');
        const vendorId = anyVendor(vendors, position);
        const allowed = allowsDeviceId(consent, vendorId);
        const read = readOrNull(() => tcfAllows(consent, vendorId));
        if (read !== null) expect(allowed && !read).toBe(false);
      },
    ),
    runs(300),
  );
});

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Whether the applying sections of a GPP string allow bidding, as `@iabgpp/cmpapi` reads them. */
function gppAllows(gpp: string, applying: readonly number[], vendorId: number): boolean {
  const model = new GppModel(gpp);
  return applying.every((id) => {
    if (id === 2) {
      const consents = model.getFieldValue('tcfeuv2', 'PurposeConsents') as boolean[];
      const vendors = model.getFieldValue('tcfeuv2', 'VendorConsents') as number[];
      const disclosed = model.getFieldValue('tcfeuv2', 'VendorsDisclosed') as number[];
      return [consents[0], consents[6], vendors.includes(vendorId), disclosed.includes(vendorId)].every(
        Boolean,
      );
    }
    if (id === 6) return model.getFieldValue('uspv1', 'OptOutSale') !== 'Y';
    const { name } = USA.find((section) => section.id === id)!;
    const isOptedOut = OPT_OUTS.some(
      (field) => model.hasField(name, field) && model.getFieldValue(name, field) === 1,
    );
    const isRefused = model.hasField(name, 'Gpc') && model.getFieldValue(name, 'Gpc') === true;
    return !isOptedOut && !(isRefused && model.getFieldValue(name, 'GpcSegmentIncluded') === true);
  });
}

/** A section as an id and the input of its encoder. */
const tcfSection = fc.record({
  id: fc.constant(2),
  purposes: anyPurposes,
  vendors: anyVendors,
  disclosure: fc.constantFrom('all', 'half'),
});
const uspSection = fc.record({ id: fc.constant(6), sale: fc.constantFrom('Y', 'N', '-') });
/** Mostly without an opt-out, as otherwise a string of several sections allows nothing. */
const optOut = fc.oneof(
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 6, arbitrary: fc.constantFrom(0, 2) },
);
const usaSection = fc.record({
  id: fc.constantFrom(...USA.map(({ id }) => id)),
  optOuts: fc.tuple(optOut, optOut, optOut),
  notices: fc.nat(1),
  gpc: fc.constantFrom(null, false, false, false, true),
});
type Section =
  | { id: number; purposes: number[]; vendors: number[]; disclosure: string }
  | { id: number; sale: string }
  | { id: number; optOuts: number[]; notices: number; gpc: boolean | null };

function addSection(model: GppModel, section: Section): void {
  if ('vendors' in section) {
    model.setFieldValue(
      'tcfeuv2',
      'PurposeConsents',
      Array.from({ length: 24 }, (_, at) => section.purposes.includes(at + 1)),
    );
    model.setFieldValue('tcfeuv2', 'VendorConsents', section.vendors);
    model.setFieldValue('tcfeuv2', 'VendorsDisclosed', disclosedOf(section.vendors, section.disclosure));
  } else if ('sale' in section) {
    model.setFieldValue('uspv1', 'OptOutSale', section.sale);
  } else {
    const { name } = USA.find(({ id }) => id === section.id)!;
    const set = (field: string, value: unknown) => {
      readOrNull(() => model.setFieldValue(name, field, value));
    };
    set('ProcessingNotice', section.notices);
    for (const [at, field] of OPT_OUTS.entries()) set(field, section.optOuts[at]);
    if (section.gpc !== null) {
      set('GpcSegmentIncluded', true);
      set('Gpc', section.gpc);
    }
  }
}

const anySections = fc.uniqueArray<Section, number>(
  fc.oneof(
    { weight: 1, arbitrary: tcfSection },
    { weight: 1, arbitrary: uspSection },
    { weight: 4, arbitrary: usaSection },
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
);

test('a GPP string is read as @iabgpp/cmpapi reads it', () => {
  const results = new Set<boolean>();
  fc.assert(
    fc.property(anySections, fc.nat(2000), fc.nat(4), (sections, position, count) => {
      const model = new GppModel();
      for (const section of sections) addSection(model, section);
      const gpp = model.encode();
      const applying = sections.slice(0, count + 1).map(({ id }) => id);
      const tcf = sections.find((section) => 'vendors' in section);
      const vendorId = anyVendor(tcf && 'vendors' in tcf ? tcf.vendors : [], position);
      const allowed = gppAllowsDeviceId(gpp, applying, vendorId);
      results.add(allowed);
      expect([gpp, applying, allowed]).toEqual([gpp, applying, gppAllows(gpp, applying, vendorId)]);
    }),
    runs(300),
  );
  expect(results).toEqual(new Set([true, false]));
});

test.each(USA)('an opt-out in section $id of a GPP string, $name, is read wherever it is', ({ id, name }) => {
  const gppOf = (field: string, value: number): string => {
    const model = new GppModel();
    model.setFieldValue(name, field, value);
    return model.encode();
  };
  const fields = OPT_OUTS.filter((field) => readOrNull(() => gppOf(field, 0)) !== null);
  expect(fields.length).toBeGreaterThanOrEqual(2);
  for (const field of fields)
    expect([0, 1, 2].map((value) => gppAllowsDeviceId(gppOf(field, value), [id], 7))).toEqual([
      true,
      false,
      true,
    ]);
});

test('a modified GPP string gets an answer', () => {
  const change = fc.tuple(fc.nat(400), fc.constantFrom(...'AZaz09-_~.%'.split(''), '\u{1F600}'));
  fc.assert(
    fc.property(anySections, fc.array(change, { minLength: 1, maxLength: 8 }), (sections, changes) => {
      const model = new GppModel();
      for (const section of sections) addSection(model, section);
      const characters = model.encode().split('');
      for (const [at, character] of changes) characters[at % characters.length] = character;
      const applying = sections.map(({ id }) => id);
      expect(typeof gppAllowsDeviceId(characters.join(''), applying, 7)).toBe('boolean');
    }),
    runs(300),
  );
});

import { GppModel, RangeEntry } from '@iabgpp/cmpapi';
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
import { gppAllows } from './gpp.ts';
import { type ConsentNeeds, tcfAllows } from './tcf.ts';

/** Sections of the USA: their names by id, from the national one to Rhode Island's. */
const USA =
  'usnat usca usva usco usut usct usfl usmt usor ustx usde usia usne usnh usnj ustn usmn usmd usin usky usri'
    .split(' ')
    .map((name, index) => ({ id: 7 + index, name }));
/** What an id, a list of devices and a measured place need. */
const ALL_NEEDS: readonly ConsentNeeds[] = [
  { purposes: [1, 7], preciseLocation: false },
  { purposes: [1, 3, 4, 7], preciseLocation: false },
  { purposes: [1, 7], preciseLocation: true },
];
const anyNeeds = fc.constantFrom(...ALL_NEEDS);
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];

const purposes = fc.subarray(
  Array.from({ length: 24 }, (_, index) => index + 1),
  { minLength: 0 },
);
/** With the purposes that matter in most cases, as otherwise most strings allow nothing. */
const anyPurposes = fc.oneof(
  purposes,
  purposes.map((some) => [...new Set([1, 7, ...some])]),
  purposes.map((some) => [...new Set([1, 3, 4, 7, ...some])]),
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
  specialFeatures: readonly number[] = [],
): string {
  const model = new TCModel();
  model.cmpId = 31;
  model.cmpVersion = 2;
  model.vendorListVersion = 200;
  model.policyVersion = 5;
  model.consentLanguage = 'EN';
  model.publisherCountryCode = 'DE';
  model.purposeConsents.set([...purposeIds]);
  model.specialFeatureOptins.set([...specialFeatures]);
  model.purposeLegitimateInterests.set([2, 3, 4, 7, 9]);
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

/** Whether a TCF string allows a use, as `@iabtcf/core` reads it. Throws if it cannot be read. */
function tcfOracle(consent: string, vendorId: number, needs: ConsentNeeds): boolean {
  const model = TCString.decode(consent);
  const { version, purposeConsents, vendorConsents, vendorsDisclosed, publisherRestrictions } = model;
  const isRestricted = publisherRestrictions
    .getRestrictions(vendorId)
    .some(
      ({ purposeId, restrictionType }) =>
        needs.purposes.includes(purposeId!) && restrictionType !== RestrictionType.REQUIRE_CONSENT,
    );
  return (
    version === 2 &&
    !isRestricted &&
    needs.purposes.every((purpose) => purposeConsents.has(purpose)) &&
    (!needs.preciseLocation || model.specialFeatureOptins.has(1)) &&
    vendorConsents.has(vendorId) &&
    (!consent.includes('.') || vendorsDisclosed.has(vendorId))
  );
}

const anyRestriction = fc.record({
  purpose: fc.constantFrom(1, 3, 4, 7, 10),
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
      fc.subarray([1, 2]),
      anyNeeds,
      (some, vendors, position, disclosure, restricted, features, needs) => {
        const restrictions = restricted.map(({ from, ...rest }) => ({
          ...rest,
          vendors: vendors.slice(from),
        }));
        const consent = tcfOf(some, vendors, disclosedOf(vendors, disclosure), restrictions, features);
        const vendorId = anyVendor(vendors, position);
        const allowed = tcfAllows(consent, vendorId, needs);
        results.add(allowed);
        expect(allowed).toBe(tcfOracle(consent, vendorId, needs));
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
        const allowed = tcfAllows(consent, vendorId, ALL_NEEDS[0]!);
        const read = readOrNull(() => tcfOracle(consent, vendorId, ALL_NEEDS[0]!));
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

/** Whether the applying sections of a GPP string allow a use, as `@iabgpp/cmpapi` reads them. */
function gppOracle(
  gpp: string,
  applying: readonly number[],
  vendorId: number,
  { purposes: needed, preciseLocation }: ConsentNeeds,
): boolean {
  const model = new GppModel(gpp);
  return applying.every((id) => {
    if (id === 5) return canadaOracle(model, vendorId, { purposes: needed, preciseLocation });
    if (id === 2) {
      const features = model.getFieldValue('tcfeuv2', 'SpecialFeatureOptins') as boolean[];
      const consents = model.getFieldValue('tcfeuv2', 'PurposeConsents') as boolean[];
      const vendors = model.getFieldValue('tcfeuv2', 'VendorConsents') as number[];
      const disclosed = model.getFieldValue('tcfeuv2', 'VendorsDisclosed') as number[];
      return [
        ...needed.map((purpose) => consents[purpose - 1]),
        !preciseLocation || features[0],
        vendors.includes(vendorId),
        disclosed.includes(vendorId),
      ].every(Boolean);
    }
    if (preciseLocation) return false;
    if (id === 6) return model.getFieldValue('uspv1', 'OptOutSale') !== 'Y';
    const { name } = USA.find((section) => section.id === id)!;
    const isOptedOut = OPT_OUTS.some(
      (field) => model.hasField(name, field) && model.getFieldValue(name, field) === 1,
    );
    const isRefused = model.hasField(name, 'Gpc') && model.getFieldValue(name, 'Gpc') === true;
    return !isOptedOut && !(isRefused && model.getFieldValue(name, 'GpcSegmentIncluded') === true);
  });
}

/** What `@iabgpp/cmpapi` reads in the Canadian section: consent that is express or implied, without restrictions that forbid it. */
function canadaOracle(
  model: GppModel,
  vendorId: number,
  { purposes: needed, preciseLocation }: ConsentNeeds,
) {
  const read = (field: string): unknown => model.getFieldValue('tcfcav1', field);
  const hasVendor = (field: string) => (read(field) as number[]).includes(vendorId);
  const restrictions = (read('PubRestrictions') as RangeEntry[]).filter((one) =>
    one.getIds().includes(vendorId),
  );
  const disclosed = read('DisclosedVendors') as number[];
  const isAllowed = (purpose: number): boolean => {
    const types = restrictions.filter((one) => one.getKey() === purpose).map((one) => one.getType());
    const express =
      hasVendor('VendorExpressConsent') && (read('PurposesExpressConsent') as boolean[])[purpose - 1]!;
    const implied =
      hasVendor('VendorImpliedConsent') && (read('PurposesImpliedConsent') as boolean[])[purpose - 1]!;
    return !types.includes(0) && ((express && !types.includes(2)) || (implied && !types.includes(1)));
  };
  return (
    needed.every(isAllowed) &&
    (!preciseLocation ||
      (hasVendor('VendorExpressConsent') && (read('SpecialFeatureExpressConsent') as boolean[])[0]!)) &&
    (disclosed.length === 0 || disclosed.includes(vendorId))
  );
}

/** A section as an id and the input of its encoder. */
const tcfSection = fc.record({
  id: fc.constant(2),
  purposes: anyPurposes,
  vendors: anyVendors,
  disclosure: fc.constantFrom('all', 'half'),
});
const canadaSection = fc.record({
  id: fc.constant(5),
  express: anyPurposes,
  implied: anyPurposes,
  expressVendors: anyVendors,
  impliedVendors: anyVendors,
  features: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  restricted: fc.array(anyRestriction, { maxLength: 3 }),
  disclosure: anyDisclosed,
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
  | {
      id: number;
      express: number[];
      implied: number[];
      expressVendors: number[];
      impliedVendors: number[];
      features: boolean[];
      restricted: { purpose: number; type: number; from: number }[];
      disclosure: string;
    }
  | { id: number; sale: string }
  | { id: number; optOuts: number[]; notices: number; gpc: boolean | null };

/** All purposes as the encoders take them. */
const bitsOf = (some: readonly number[]) => Array.from({ length: 24 }, (_, at) => some.includes(at + 1));

function addSection(model: GppModel, section: Section): void {
  if ('express' in section) {
    const { express, implied, expressVendors, impliedVendors, features, restricted, disclosure } = section;
    const set = (field: string, value: unknown) => model.setFieldValue('tcfcav1', field, value);
    set('PurposesExpressConsent', bitsOf(express));
    set('PurposesImpliedConsent', bitsOf(implied));
    set('VendorExpressConsent', expressVendors);
    set('VendorImpliedConsent', impliedVendors);
    set('SpecialFeatureExpressConsent', features);
    set(
      'PubRestrictions',
      restricted
        .map(
          ({ purpose, type, from }) =>
            new RangeEntry(purpose, type, [...new Set(expressVendors.slice(from))]),
        )
        .filter((entry) => entry.getIds().length > 0),
    );
    set(
      'DisclosedVendors',
      disclosedOf([...new Set([...expressVendors, ...impliedVendors])], disclosure) ?? [],
    );
  } else if ('vendors' in section) {
    model.setFieldValue('tcfeuv2', 'PurposeConsents', bitsOf(section.purposes));
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
    { weight: 2, arbitrary: canadaSection },
    { weight: 1, arbitrary: uspSection },
    { weight: 4, arbitrary: usaSection },
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
);

test('a GPP string is read as @iabgpp/cmpapi reads it', () => {
  const results = new Set<boolean>();
  fc.assert(
    fc.property(anySections, fc.nat(2000), fc.nat(4), anyNeeds, (sections, position, count, needs) => {
      const model = new GppModel();
      for (const section of sections) addSection(model, section);
      const gpp = model.encode();
      const applying = sections.slice(0, count + 1).map(({ id }) => id);
      const listed = sections.flatMap((section) =>
        'vendors' in section ? section.vendors : 'express' in section ? section.expressVendors : [],
      );
      const vendorId = anyVendor(listed, position);
      const allowed = gppAllows(gpp, applying, vendorId, needs);
      results.add(allowed);
      expect([gpp, applying, allowed]).toEqual([gpp, applying, gppOracle(gpp, applying, vendorId, needs)]);
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
    expect([0, 1, 2].map((value) => gppAllows(gppOf(field, value), [id], 7, ALL_NEEDS[0]!))).toEqual([
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
      expect(typeof gppAllows(characters.join(''), applying, 7, ALL_NEEDS[0]!)).toBe('boolean');
    }),
    runs(300),
  );
});

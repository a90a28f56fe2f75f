import { z } from 'zod';
import type { Field } from '../lib/fields.ts';
import { limits } from '../lib/limits.ts';
import { adText } from '../lib/wire.ts';

const text = (label: string, max: number, example: string) =>
  ({ label, input: adText(max), output: z.string(), undo: false, example }) satisfies Field;

/** Texts of a native creative. */
export const creativeTextFields = {
  sponsor: text('Sponsor', limits.nativeSponsorMax, ''),
  title: text('Title', limits.nativeTitleMax, ''),
};

/** Texts that the native creatives of a group have if they have none of their own. */
export const groupTextFields = {
  native_title: text('Native title', limits.nativeTitleMax, 'Match the harbor'),
  native_description: text('Native description', limits.nativeDescriptionMax, 'Play now'),
  native_sponsor: text('Native sponsor', limits.nativeSponsorMax, 'Example'),
};

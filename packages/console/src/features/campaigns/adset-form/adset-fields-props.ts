import type { AdsetValues } from './adset-values.ts';

/** What each group of an ad set's fields gets. */
export interface AdsetFieldsProps {
  values: AdsetValues;
  onChange: (changes: Partial<AdsetValues>) => void;
  /** Messages by field. */
  errors: Readonly<Record<string, string>>;
  /** Prefix of field names where several ad sets share a form: `adsets.0.` */
  prefix?: string;
}

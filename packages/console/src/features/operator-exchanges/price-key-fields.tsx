import { PasswordInput, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

interface PriceKeys {
  price_encryption_key: string;
  price_integrity_key: string;
}

interface PriceKeyFieldsProps {
  values: PriceKeys;
  errors: Readonly<Record<string, ReactNode>>;
  /** Whether keys are stored, which stay where a field is empty. */
  hasKeys: boolean;
  onChange: (changes: Partial<PriceKeys>) => void;
}

/** The two keys of encrypted prices. Stored ones are never shown. */
export function PriceKeyFields({ values, errors, hasKeys, onChange }: PriceKeyFieldsProps) {
  const description = hasKeys ? 'Stored. Fill in only to replace it.' : '32 bytes in Base64 or hexadecimal.';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <PasswordInput
        label="Encryption key"
        description={description}
        autoComplete="off"
        value={values.price_encryption_key}
        error={errors['price_encryption_key']}
        onChange={(event) => onChange({ price_encryption_key: event.currentTarget.value })}
      />
      <PasswordInput
        label="Integrity key"
        description={description}
        autoComplete="off"
        value={values.price_integrity_key}
        error={errors['price_integrity_key']}
        onChange={(event) => onChange({ price_integrity_key: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}

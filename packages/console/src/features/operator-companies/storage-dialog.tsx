import { bytesText } from '@bidwell/contract/lib/bytes';
import { NumberInput, Text } from '@mantine/core';
import { ChangeCompanyDialog, type CompanyDialogProps } from './change-company-dialog.tsx';
import { GIB_MAX, gibOf, quotaChange } from './storage-values.ts';

/** Changes how much storage a company's files may have. */
export function StorageDialog(props: CompanyDialogProps) {
  const { name, storage, storage_quota_bytes: own } = props.company;
  return (
    <ChangeCompanyDialog<number | string>
      {...props}
      title="Change the storage"
      field="storage"
      valueOf={(company) => gibOf(company.storage_quota_bytes)}
      changeOf={(gib) => quotaChange(own, gib)}
      doneText={() => `The storage of ${name} is changed`}
    >
      {(gib, onChange) => (
        <>
          <Text size="sm">
            {name} uses {bytesText(storage.used_bytes)} of {bytesText(storage.quota_bytes)}. A change takes
            effect at once: uploads that do not fit are refused, and stored files stay.
          </Text>
          <NumberInput
            label="Storage"
            description="Leave empty for the quota of the settings, which grows with the first approved app."
            suffix=" GiB"
            min={0}
            max={GIB_MAX}
            clampBehavior="strict"
            allowNegative={false}
            decimalScale={2}
            value={gib}
            onChange={onChange}
          />
          {quotaChange(own, gib)?.storage_quota_bytes === 0 && (
            <Text size="sm" c="var(--mantine-color-error)">
              With 0 the company cannot upload any file.
            </Text>
          )}
        </>
      )}
    </ChangeCompanyDialog>
  );
}

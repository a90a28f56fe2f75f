import { NumberInput, Text } from '@mantine/core';
import type { CompanyDialogProps } from './change-company-dialog.tsx';
import { ChangeCompanyDialog } from './change-company-dialog.tsx';
import { GIB_MAX, gibOf, quotaChange } from './storage-values.ts';

/** Changes how much storage a company's files may have. */
export function StorageDialog(props: CompanyDialogProps) {
  const { name, storage_quota_bytes: own } = props.company;
  return (
    <ChangeCompanyDialog<number | string>
      {...props}
      title="Change the storage"
      initial={gibOf(own)}
      changeOf={(gib) => quotaChange(own, gib)}
      doneText={() => `The storage of ${name} is changed`}
    >
      {(gib, onChange) => (
        <>
          <Text size="sm">
            At once: an upload that does not fit is refused. Files that are stored stay, also where they have
            more.
          </Text>
          <NumberInput
            label="Storage"
            description="Empty for the quota of the settings, which grows with the first approved app."
            suffix=" GiB"
            min={0}
            max={GIB_MAX}
            clampBehavior="strict"
            allowNegative={false}
            decimalScale={2}
            hideControls
            value={gib}
            onChange={onChange}
          />
        </>
      )}
    </ChangeCompanyDialog>
  );
}

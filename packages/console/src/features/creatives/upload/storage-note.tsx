import { bytesText } from '@bidwell/contract/lib/bytes';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { storageQuery } from '../../../entities/creatives/queries.ts';

/** How much of the company's storage is used. Nothing until it is known. */
export function StorageNote() {
  const { data: storage } = useQuery(storageQuery);
  if (!storage) return null;
  const { used_bytes: used, quota_bytes: quota, quota_after_approval_bytes: later } = storage;
  return (
    <Text size="xs" c="dimmed">
      {bytesText(used)} of {bytesText(quota)} of storage used.
      {later !== null && ` ${bytesText(later)} once one of your apps is approved.`}
    </Text>
  );
}

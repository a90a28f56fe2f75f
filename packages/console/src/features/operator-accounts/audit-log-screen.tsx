import { Paper } from '@mantine/core';
import { ActsList } from '../../entities/operator-accounts/audit-log.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

/** /operator/log: what operators did, with person, reason, before and after. */
export function ActsScreen() {
  return (
    <>
      <PageHeader title="Log" description="Everything that operators did, newest first." />
      <Paper withBorder>
        <ActsList pageParameter="page" empty="Nothing was done yet" />
      </Paper>
    </>
  );
}

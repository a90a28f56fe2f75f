import { Paper } from '@mantine/core';
import { AuditLog } from '../../entities/operator-accounts/audit-log.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';

/** /operator/log: what operators did, with person, reason, before and after. */
export function AuditLogScreen() {
  return (
    <>
      <PageHeader title="Log" description="Everything that operators did, newest first." />
      <Paper withBorder>
        <AuditLog pageParameter="page" empty="Nothing has been done yet" />
      </Paper>
    </>
  );
}

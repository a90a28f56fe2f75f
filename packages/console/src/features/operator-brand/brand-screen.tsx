import { changeBrand } from '@bidwell/contract/operator/brand-endpoints';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useKnown } from '../../lib/loadable.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { brandQuery } from '../../entities/operator/brand-queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { BrandForm } from './brand-form.tsx';
import { LogoSection } from './logo-section.tsx';

/** /operator/brand: the name, logo, colours and links of the installation. */
export function BrandScreen() {
  const operator = useKnown(operatorSessionQuery);
  const { data: brand, error } = useQuery(brandQuery);
  const mayChange = mayCall(operator?.role, changeBrand.permission);
  return (
    <>
      <PageHeader
        title="Brand"
        description="What companies see as the name and the look of this installation: in the console, in mails and on invoices."
      />
      {error && brand === undefined && <EmptyState title="The brand cannot be loaded" text={error.message} />}
      {brand === undefined && !error && <Skeleton height={320} />}
      {brand && (
        <Stack>
          <LogoSection brand={brand} mayChange={mayChange} />
          <BrandForm brand={brand} mayChange={mayChange} />
        </Stack>
      )}
    </>
  );
}

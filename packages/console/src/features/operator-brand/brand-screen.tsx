import { changeBrand } from '@bidwell/contract/operator/brand-endpoints';
import { Skeleton, Stack } from '@mantine/core';
import { useLoadable } from '../../lib/loadable.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { brandQuery } from '../../entities/operator/brand-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { BrandForm } from './brand-form.tsx';
import { LogoSection } from './logo-section.tsx';

/** /operator/brand: the name, logo, colours and links of the installation. */
export function BrandScreen() {
  const brand = useLoadable(brandQuery);
  const mayChange = useMayCall(changeBrand.permission);
  return (
    <>
      <PageHeader
        title="Brand"
        description="What companies see as the name and the look of this installation: in the console, in mails and on invoices."
      />
      <FigureFrame figures={brand} what="The brand" skeleton={<Skeleton height={320} />}>
        {(known) => (
          <Stack>
            <LogoSection brand={known} mayChange={mayChange} />
            <BrandForm brand={known} mayChange={mayChange} />
          </Stack>
        )}
      </FigureFrame>
    </>
  );
}

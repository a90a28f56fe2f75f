import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import {
  BILLING_IDS_MAX,
  BillingId,
  type CompanyBillingIds,
  type Ssp,
} from '@bidwell/contract/operator/schema';
import { Button, Group, Skeleton, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import { companiesQuery } from '../../entities/companies/queries.ts';
import { billingIdsQuery, saveBillingIds } from '../../entities/exchanges/queries.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Section } from '../../ui/layout/section.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';

/** The billing ids of companies at an exchange that bills each buyer. Renders nothing for other exchanges. */
export function BillingIds({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const [q, setQ] = useState<string>();
  if (!rulesOf(exchange.profile).billing_id) return null;
  return (
    <Section
      title="Billing ids of companies"
      description="Bids of a company name one of its billing ids that the request names too; a request with none of them gets no bid of the company. As long as no company has any, bids name the only billing id of a request."
      actions={mayChange && <SearchField label="companies" value={q ?? ''} onChange={setQ} />}
    >
      {q === undefined ? (
        <Present exchange={exchange} mayChange={mayChange} />
      ) : (
        <Found exchange={exchange} mayChange={mayChange} q={q} />
      )}
    </Section>
  );
}

interface ListProps {
  exchange: Ssp;
  mayChange: boolean;
}

/** The companies with billing ids. */
function Present({ exchange, mayChange }: ListProps) {
  const figures = useLoadable(billingIdsQuery(exchange.slug));
  const list = knownData(figures);
  return (
    <FigureFrame figures={figures} what="The billing ids" skeleton={<Skeleton height={60} />}>
      {list && <Rows slug={exchange.slug} mayChange={mayChange} companies={list.companies} />}
      {list?.companies.length === 0 && (
        <Muted>
          No company has billing ids here{mayChange ? '. Search for a company to add some.' : '.'}
        </Muted>
      )}
    </FigureFrame>
  );
}

/** The companies that match a search, with their billing ids. */
function Found({ exchange, mayChange, q }: ListProps & { q: string }) {
  const figures = useLoadable(companiesQuery({ q }));
  const ids = useLoadable(billingIdsQuery(exchange.slug));
  const found = knownData(figures)?.companies;
  const present = knownData(ids)?.companies;
  const companies =
    found &&
    present &&
    found.map(({ uuid, name }) => {
      const own = present.find(({ company_uuid: company }) => company === uuid);
      return own ?? { company_uuid: uuid, company_name: name, billing_ids: [] };
    });
  return (
    <FigureFrame figures={figures} what="The companies" skeleton={<Skeleton height={60} />}>
      <FigureFrame figures={ids} what="The billing ids" skeleton={<Skeleton height={60} />}>
        {companies && <Rows slug={exchange.slug} mayChange={mayChange} companies={companies} />}
        {companies?.length === 0 && figures.state !== 'stale' && <Muted>No company matches.</Muted>}
      </FigureFrame>
    </FigureFrame>
  );
}

function Rows({
  slug,
  mayChange,
  companies,
}: {
  slug: string;
  mayChange: boolean;
  companies: readonly CompanyBillingIds[];
}) {
  return (
    <Stack gap="md">
      {companies.map((company) => (
        <Company
          // Its field begins with what is saved.
          key={`${company.company_uuid} ${company.billing_ids.join()}`}
          slug={slug}
          company={company}
          mayChange={mayChange}
        />
      ))}
    </Stack>
  );
}

function Company({
  slug,
  company,
  mayChange,
}: {
  slug: string;
  company: CompanyBillingIds;
  mayChange: boolean;
}) {
  const { company_uuid: uuid, company_name: name, billing_ids: saved } = company;
  const [ids, setIds] = useState<readonly string[]>(saved);
  const { save, busy } = useSave({
    send: () => saveBillingIds(slug, uuid, ids),
    done: `The billing ids of ${name} are saved. Bidders apply them at once.`,
  });
  const invalid = ids.find((id) => !BillingId.safeParse(id).success);
  const isDirty = ids.join() !== saved.join();
  return (
    <Group align="flex-end" wrap="wrap">
      <Stack gap={4} flex="1 1 260px">
        <CompanyLink uuid={uuid}>{name}</CompanyLink>
        <TagsInput
          aria-label={`Billing ids of ${name}`}
          value={[...ids]}
          onChange={setIds}
          maxTags={BILLING_IDS_MAX}
          disabled={!mayChange}
          error={invalid !== undefined && `${invalid} is no number of at most 20 digits`}
        />
      </Stack>
      {mayChange && isDirty && (
        <Button loading={busy} disabled={invalid !== undefined} onClick={() => save()}>
          Save
        </Button>
      )}
    </Group>
  );
}

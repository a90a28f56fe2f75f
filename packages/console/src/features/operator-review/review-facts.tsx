import { IAB_CATEGORIES } from '@bidwell/contract/reference/iab-categories';
import type { ModerationItem, PastDecision, ReviewedCompany } from '@bidwell/contract/moderation/schema';
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { fileFacts } from './kinds.ts';
import { ExternalLink } from './review-preview.tsx';
import classes from './review.module.css';

/** What a decision depends on in addition to the preview: changes, files, links, app, company and earlier decisions. */
export function ReviewFacts({
  item,
  company,
}: {
  item: ModerationItem;
  company: ReviewedCompany | undefined;
}) {
  return (
    <Stack gap="lg" className={classes['facts']}>
      {item.approved && <Changes pending={item.pending} approved={item.approved} />}
      <Details item={item} />
      <Links item={item} />
      {company && <Company company={company} />}
      <Decisions title="Earlier decisions on it" decisions={item.decisions} />
      <Decisions title="The same file elsewhere" decisions={item.same_file} withCompany />
      <Decisions title="Rejected before for this company" decisions={company?.record?.rejections ?? []} />
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="sm" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const fieldNames: Record<string, string> = {
  name: 'Name',
  os: 'Operating system',
  store_link: 'Store page',
  bundle_id: 'Bundle',
  icon_link: 'Icon',
  title: 'Headline',
  sponsor: 'Sponsor',
  description: 'Description',
  click_url: 'Click URL',
  view_url: 'View URL',
  banner_file_uuid: 'End card',
  native_title: 'Headline',
  native_sponsor: 'Sponsor',
  native_description: 'Description',
};

function Changes({
  pending,
  approved,
}: {
  pending: ModerationItem['pending'];
  approved: ModerationItem['pending'];
}) {
  const changed = Object.keys(approved).filter((field) => (pending[field] ?? null) !== approved[field]);
  return (
    <Section title="Changed from the approved version">
      <Caption mb={4}>The approved version runs until the decision, and after a rejection.</Caption>
      <dl className={classes['list']}>
        {changed.map((field) => (
          <Fact key={field} label={fieldNames[field] ?? field}>
            {field === 'banner_file_uuid' ? (
              'Another file, shown next to the video'
            ) : (
              <>
                <del>{approved[field] || 'none'}</del> <ins>{pending[field] || 'none'}</ins>
              </>
            )}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

const fileNames = {
  ad: 'File',
  end_card: 'End card',
  approved_end_card: 'Approved end card',
  sample: 'Shown with',
} as const;

function Details({ item }: { item: ModerationItem }) {
  const { app, pending } = item;
  const texts = ['title', 'sponsor', 'description', 'native_title', 'native_sponsor', 'native_description'];
  const category = IAB_CATEGORIES.find(({ value }) => value === app?.iab_category);
  return (
    <Section title="Details">
      <dl className={classes['list']}>
        {item.files.map((file) => (
          <Fact key={file.role} label={fileNames[file.role]}>
            {fileFacts(file)}
          </Fact>
        ))}
        {texts.map((field) =>
          pending[field] ? (
            <Fact key={field} label={fieldNames[field]!}>
              {pending[field]}
            </Fact>
          ) : null,
        )}
        {item.external_loads.length > 0 && (
          <Fact label="Loads from elsewhere">
            {item.external_loads.map((address) => (
              <div key={address}>{address}</div>
            ))}
          </Fact>
        )}
        {app && (
          <>
            <Fact label="App">{app.name}</Fact>
            <Fact label="Bundle">{app.bundle_id}</Fact>
            <Fact label="Category">{category?.name ?? app.iab_category}</Fact>
            {app.advertiser_domain && <Fact label="Advertiser’s domain">{app.advertiser_domain}</Fact>}
          </>
        )}
        <Fact label="Waiting since">{formatMoment(item.since)}</Fact>
      </dl>
    </Section>
  );
}

function Links({ item }: { item: ModerationItem }) {
  const { app, pending, entity, destinations, deep_links: deepLinks, view_url: viewUrl } = item;
  const links: [string, string | null | undefined][] = [
    ['Store page', entity === 'app' ? pending['store_link'] : app?.store_link],
    ['Icon', pending['icon_link']],
    ['Click URL', pending['click_url']],
    ['View URL', viewUrl ?? pending['view_url']],
    ...destinations.map(({ name, click_url: url }): [string, string] => [`Click URL of “${name}”`, url]),
    ...deepLinks.map(({ name, deep_link: url }): [string, string] => [`Deep link of “${name}”`, url]),
  ];
  const shown = links.filter((link): link is [string, string] => Boolean(link[1]));
  if (shown.length === 0) return null;
  return (
    <Section title="Links">
      <dl className={classes['list']}>
        {shown.map(([label, url], index) => (
          <div key={index} className={`${classes['fact']} ${classes['link']}`}>
            <dt>{label}</dt>
            <dd>
              <ExternalLink url={url} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Company({
  company: { name, created_at: at, suspended, waiting, record },
}: {
  company: ReviewedCompany;
}) {
  const decided = record ? record.approved + record.rejected : 0;
  return (
    <Section title="Company">
      <dl className={classes['list']}>
        <Fact label="Name">
          {name}
          {suspended && ' (suspended)'}
        </Fact>
        <Fact label="Registered">{formatDay(at)}</Fact>
        <Fact label="In the queue">{waiting}</Fact>
        {record && (
          <Fact label="Decisions so far">
            {decided === 0
              ? 'None: its first review'
              : `${record.approved} approved, ${record.rejected} rejected${decided >= 100 ? ' of the last 100' : ''}`}
          </Fact>
        )}
      </dl>
    </Section>
  );
}

interface DecisionsProps {
  title: string;
  decisions: readonly PastDecision[];
  withCompany?: boolean;
}

function Decisions({ title, decisions, withCompany = false }: DecisionsProps) {
  if (decisions.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={classes['decisions']}>
        {decisions.map((decision) => (
          <li key={decision.uuid}>
            <StatusBadge status={decision.status} />
            <div>
              <Text size="sm">
                “{decision.name}”{withCompany && ` of ${decision.company_name}`}
                {decision.reason && `: ${decision.reason}`}
              </Text>
              <Caption>
                {decision.operator}, {formatMoment(decision.decided_at)}
              </Caption>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

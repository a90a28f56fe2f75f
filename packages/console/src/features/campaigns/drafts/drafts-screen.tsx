import type { DraftSummary } from '@bidwell/contract/drafts/schema';
import { useLoadable } from '../../../lib/loadable.ts';
import { discardDraft, draftsQuery } from '../../../entities/campaigns/draft-queries.ts';
import { useMay } from '../../../lib/api/use-may.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { QuietButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { IfMay } from '../../../ui/roles/if-may.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { RecordTable } from '../../../ui/table/record-table.tsx';
import { NewCampaign } from '../new-campaign.tsx';
import { useDiscard } from './draft-bar.tsx';

/** /campaigns/drafts: campaigns that someone began and that are not created yet. */
export function DraftsScreen() {
  const drafts = useLoadable(draftsQuery);
  const mayWrite = useMay('campaign.write');
  return (
    <>
      <PageHeader
        title="Drafts"
        description="Campaigns that someone in the company started to create. They are saved as you type."
        actions={<NewCampaign />}
      />
      <RecordTable
        label="Drafts"
        what="The drafts"
        rows={drafts}
        empty={
          <EmptyState
            title="No drafts yet"
            text="A campaign that you start is saved here until you create it."
          />
        }
        rowId={({ uuid }) => uuid}
        cards
        columns={[
          {
            header: 'Campaign',
            cell: ({ uuid, name }: DraftSummary) => (
              <AnchorLink to="/campaigns/create" search={{ draft: uuid }} size="sm">
                {name || 'Without a name'}
              </AnchorLink>
            ),
          },
          { header: 'Started by', cell: ({ created_by }) => created_by },
          {
            header: 'Changed',
            cell: ({ updated_by, updated_at }) => `${formatMoment(updated_at)}, ${updated_by}`,
          },
          ...(mayWrite === false
            ? []
            : [
                {
                  header: 'Actions',
                  cell: (draft: DraftSummary) => (
                    <IfMay permission="campaign.write">
                      <Discard draft={draft} />
                    </IfMay>
                  ),
                },
              ]),
        ]}
      />
    </>
  );
}

function Discard({ draft: { uuid, name } }: { draft: DraftSummary }) {
  const { confirm, busy } = useDiscard({ send: () => discardDraft(uuid) });
  return (
    <QuietButton
      loading={busy}
      aria-label={`Discard ${name || 'the draft without a name'}`}
      onClick={confirm}
    >
      Discard
    </QuietButton>
  );
}

import { COPY_FACTS } from '@bidwell/contract/measurement/partners/postback-copies';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import type {
  PostbackCopies,
  PostbackCopy,
  PostbackCopyTarget,
} from '@bidwell/contract/measurement/postback-copies';
import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { postbackCopiesQuery, resendPostbackCopy } from '../../entities/measurement/partner-queries.ts';
import { frameworkTexts } from '../../entities/skadnetwork/postback-text.ts';
import { useMay } from '../../lib/api/use-may.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Section } from '../../ui/layout/section.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { PostbackCopyForm } from './postback-copy-form.tsx';
import { QuietButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';

/** To which measurement partners copies of an iOS app's install postbacks are sent, and the latest copies. */
export function PostbackCopiesSection({ uuid }: { uuid: string }) {
  const figures = useLoadable(postbackCopiesQuery(uuid));
  return (
    <Section
      title="Copies of postbacks"
      description="Each postback of SKAdNetwork and AdAttributionKit is sent to these partners too, as the device sent it."
    >
      <FigureFrame figures={figures} what="The copies of postbacks" skeleton={<Skeleton height={160} />}>
        {(known) => <KnownCopies uuid={uuid} known={known} />}
      </FigureFrame>
    </Section>
  );
}

function KnownCopies({ uuid, known }: { uuid: string; known: PostbackCopies }) {
  const mayWrite = useMay('report_destination.write') ?? false;
  const [edited, setEdited] = useState<PostbackCopyTarget | null>(null);
  const close = () => setEdited(null);
  const actions: RecordColumn<PostbackCopyTarget> = {
    header: 'Actions',
    actions: true,
    cell: (target) => (
      <QuietButton onClick={() => setEdited(target)} aria-label={`Set up ${mmpNames[target.mmp]}`}>
        Set up
      </QuietButton>
    ),
  };
  const again: RecordColumn<PostbackCopy> = {
    header: 'Actions',
    actions: true,
    cell: (copy) => mayWrite && copy.status !== 'waiting' && <ResendButton appUuid={uuid} copy={copy} />,
  };
  return (
    <Stack>
      <RecordTable
        label="Partners of copies"
        columns={[...targetColumns, ...(mayWrite ? [actions] : [])]}
        rows={known.targets}
        rowId={({ mmp }) => mmp}
        minWidth={420}
        cards
      />
      {known.copies.length === 0 ? (
        <Muted>No copies have been sent yet.</Muted>
      ) : (
        <RecordTable
          label="Latest copies"
          columns={[...copyColumns, again]}
          rows={known.copies}
          rowId={(copy) => copy.uuid}
          minWidth={560}
          maxHeight={420}
          cards
        />
      )}
      <Modal
        opened={edited !== null}
        onClose={close}
        title={edited ? `Copies for ${mmpNames[edited.mmp]}` : ''}
      >
        {edited && <PostbackCopyForm appUuid={uuid} target={edited} onDone={close} />}
      </Modal>
    </Stack>
  );
}

const targetColumns: readonly RecordColumn<PostbackCopyTarget>[] = [
  { header: 'Partner', cell: ({ mmp }) => mmpNames[mmp] },
  {
    header: 'Copies',
    wrap: 'anywhere',
    cell: ({ mmp, is_enabled: isEnabled, url, adattributionkit_url: ofKit }) => (
      <>
        <StatusBadge status={isEnabled ? 'On' : 'Off'} />
        {isEnabled && (
          <Caption>
            {url ?? COPY_FACTS[mmp].url}
            {ofKit !== null && ` and ${ofKit}`}
          </Caption>
        )}
      </>
    ),
  },
  {
    header: 'Last accepted',
    wrap: 'never',
    cell: ({ accepted_at: at }) => (at === null ? 'Never' : formatMoment(at)),
  },
];

const copyColumns: readonly RecordColumn<PostbackCopy>[] = [
  {
    header: 'Postback',
    wrap: 'anywhere',
    cell: ({ mmp, framework, transaction_id: id, sequence_index: index, created_at: at }) => (
      <>
        <Text size="sm">
          {frameworkTexts[framework]} to {mmpNames[mmp]}
        </Text>
        <Caption>
          {formatMoment(at)}, window {index + 1}, {id}
        </Caption>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, attempts, next_attempt_at: nextAt }) => (
      <>
        <StatusBadge status={status} />
        {attempts > 1 && <Caption>{attempts} tries</Caption>}
        {attempts > 0 && nextAt && <Caption>Next {formatMoment(nextAt)}</Caption>}
      </>
    ),
  },
  {
    header: 'Response',
    wrap: 'anywhere',
    cell: ({ response_status: status, response_start: start, error }) => (
      <>
        {status !== null && <Text size="sm">HTTP {status}</Text>}
        <Caption>{error ?? start}</Caption>
      </>
    ),
  },
];

function ResendButton({ appUuid, copy }: { appUuid: string; copy: PostbackCopy }) {
  const { save: resend, busy } = useSave({ send: () => resendPostbackCopy(appUuid, copy.uuid) });
  return (
    <QuietButton
      loading={busy}
      onClick={() => resend()}
      aria-label={`Send the copy ${copy.transaction_id} to ${mmpNames[copy.mmp]} again`}
    >
      Send again
    </QuietButton>
  );
}

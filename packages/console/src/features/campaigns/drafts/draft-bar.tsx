import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Button, CopyButton, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../../lib/api/use-may.ts';
import { viewing } from '../../../lib/api/viewing.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { useDestroy } from '../../../ui/form/confirm.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { QuietButton, SmallButton } from '../../../ui/layout/buttons.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import type { DraftState } from './draft-saver.ts';
import type { ServerDraft } from './use-server-draft.ts';

/** How far the draft of a form is stored on the server, with its link; asks what to do where someone else changed it. */
export function DraftBar({
  draft,
  onTake,
  onDiscarded,
}: {
  draft: ServerDraft;
  /** Shows the draft as someone else left it. Throws ApiError. */
  onTake: (uuid: string) => Promise<void>;
  /** Called once the draft is discarded, before the screen is left. */
  onDiscarded: () => void;
}) {
  const { saver, state } = draft;
  const may = useMay('campaign.write');
  const mayWrite = may && viewing === null;
  if (state.status === 'conflict') return <DraftConflict draft={draft} onTake={onTake} />;
  if (state.status === 'none') return null;
  return (
    <Group gap="xs" mb="sm" mih={30}>
      <Muted role="status">
        {may !== undefined && (mayWrite ? stateText(state) : 'You can read this draft, but not change it.')}
      </Muted>
      {state.draft && (
        <>
          <CopyButton value={linkOf(state.draft.uuid)}>
            {({ copied, copy }) => (
              <QuietButton onClick={copy}>{copied ? 'Link copied' : 'Copy link'}</QuietButton>
            )}
          </CopyButton>
          {mayWrite && <DiscardButton discard={() => saver.discard()} onDiscarded={onDiscarded} />}
        </>
      )}
    </Group>
  );
}

const linkOf = (uuid: string) => `${location.origin}/campaigns/create?draft=${uuid}`;

function stateText({ status, draft, message }: DraftState): string {
  if (status === 'away') return screenMessages.draftAway;
  if (status === 'rejected') return screenMessages.draftRejected(message ?? '');
  if (status === 'saving') return 'Saving the draft…';
  return draft && 'updated_at' in draft ? `Draft saved ${formatMoment(draft.updated_at)}` : 'Draft saved';
}

/** Discards a draft once that is confirmed. */
export function useDiscard(saving: { send: () => Promise<unknown>; onSaved?: () => unknown }) {
  return useDestroy({
    title: 'Discard the draft?',
    text: 'It is deleted for everyone in the company. Ad sets that were saved stay.',
    action: 'Discard',
    done: screenMessages.draftDiscarded,
    ...saving,
  });
}

function DiscardButton({
  discard,
  onDiscarded,
}: {
  discard: () => Promise<unknown>;
  onDiscarded: () => void;
}) {
  const navigate = useNavigate();
  const { confirm, busy } = useDiscard({
    send: discard,
    onSaved: async () => {
      onDiscarded();
      await navigate({ to: '/campaigns', ignoreBlocker: true });
    },
  });
  return (
    <QuietButton loading={busy} onClick={confirm}>
      Discard draft
    </QuietButton>
  );
}

function DraftConflict({
  draft: { saver, state },
  onTake,
}: {
  draft: ServerDraft;
  onTake: (uuid: string) => Promise<void>;
}) {
  const { save: take, busy } = useSave({ send: async () => state.draft && onTake(state.draft.uuid) });
  return (
    <Alert color="yellow" variant="light" p="sm" mb="md" maw={1180} role="alert" title={state.message}>
      <Text size="sm">What you typed is still here, but it is not saved yet.</Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" onClick={() => saver.keepOwn()}>
          Save mine as another draft
        </Button>
        <SmallButton loading={busy} onClick={() => take()}>
          Discard mine and open theirs
        </SmallButton>
      </Group>
    </Alert>
  );
}

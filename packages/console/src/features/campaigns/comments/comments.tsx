import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { COMMENT_CHARS_MAX, COMMENT_MENTIONS_MAX, type Comment } from '@bidwell/contract/comments/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { peopleQuery } from '../../../entities/accounts/people-queries.ts';
import { accountQuery } from '../../../lib/api/account.ts';
import { type Loadable, combined, isKnown, mapped, useLoadable } from '../../../lib/loadable.ts';
import {
  type Commented,
  addComment,
  changeComment,
  commentsQuery,
  deleteComment,
} from '../../../entities/campaigns/comment-queries.ts';
import { useMay } from '../../../lib/api/use-may.ts';
import { viewing } from '../../../lib/api/viewing.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { useDestroy } from '../../../ui/form/confirm.tsx';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { useTyped } from '../../../ui/form/unsaved-input.ts';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { Section } from '../../../ui/layout/section.tsx';

/** The comments of the company's people on a campaign or a draft, with a form for new ones. */
export function Comments({ on }: { on: Commented }) {
  const comments = useLoadable(commentsQuery(on));
  const may = useMay('comment.write');
  const mayWrite = may && viewing === null;
  return (
    <Section title="Comments">
      <Stack gap="md" maw={720}>
        <FigureFrame
          figures={comments}
          what="The comments"
          skeleton={<ListSkeleton rows={2} height={48} />}
          empty={may !== undefined && !mayWrite ? <Muted>There are no comments.</Muted> : null}
        >
          {(known) => (
            <Stack gap="md">
              {known.map((comment) => (
                <CommentText key={comment.uuid} comment={comment} />
              ))}
            </Stack>
          )}
        </FigureFrame>
        {mayWrite && <NewComment on={on} />}
      </Stack>
    </Section>
  );
}

function CommentText({ comment }: { comment: Comment }) {
  const { author, text, mentions, created_at, edited_at, changeable_until } = comment;
  const [isEdited, setIsEdited] = useState(false);
  return (
    <article aria-label={`Comment by ${author.name}`}>
      <Group gap="xs" justify="space-between">
        <Caption>
          <b>{author.name}</b>, {formatMoment(created_at)}
          {edited_at !== null && ', changed'}
        </Caption>
        {changeable_until !== null && !isEdited && (
          <OwnActions uuid={comment.uuid} onEdit={() => setIsEdited(true)} />
        )}
      </Group>
      {isEdited ? (
        <EditComment comment={comment} onDone={() => setIsEdited(false)} />
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {mentions.length > 0 && <Caption>{mentions.map(({ name }) => `@${name}`).join(', ')}</Caption>}
    </article>
  );
}

function OwnActions({ uuid, onEdit }: { uuid: string; onEdit: () => void }) {
  const { confirm, busy } = useDestroy({
    title: 'Delete the comment?',
    text: 'It is deleted for everyone.',
    action: 'Delete',
    send: () => deleteComment(uuid),
    done: screenMessages.commentDeleted,
  });
  return (
    <Group gap={4}>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onEdit}>
        Edit comment
      </Button>
      <Button variant="subtle" color="gray" size="compact-xs" loading={busy} onClick={confirm}>
        Delete comment
      </Button>
    </Group>
  );
}

function EditComment({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const [text, setText] = useTyped(`Comment ${comment.uuid}`, comment.text);
  const { save, busy } = useSave({
    send: () => changeComment(comment.uuid, text),
    onSaved: onDone,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label="Comment"
          autosize
          minRows={2}
          maxLength={COMMENT_CHARS_MAX}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <FormButtons action="Save comment" onCancel={onDone} busy={busy} disabled={text.trim() === ''} />
      </Stack>
    </form>
  );
}

/** Writes a comment, and chooses who is notified of it. */
function NewComment({ on }: { on: Commented }) {
  const [text, setText] = useTyped('New comment', '');
  const [mentions, setMentions] = useTyped<readonly string[]>('Mention', []);
  const people = useMentionable();
  const { save, busy } = useSave({
    send: () => addComment(on, { text, mentions: [...mentions] }),
    onSaved: () => {
      setText('');
      setMentions([]);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="New comment"
          autosize
          minRows={2}
          maxLength={COMMENT_CHARS_MAX}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {!(isKnown(people) && people.data.length === 0) && (
          <MultiSelect
            label="Mention"
            hidePickedOptions={!isKnown(people)}
            {...pickerProps(
              people,
              { placeholder: mentions.length === 0 ? 'No one' : '', emptyText: 'There is no one to mention' },
              [...mentions],
            )}
            value={[...mentions]}
            onChange={setMentions}
            maxValues={COMMENT_MENTIONS_MAX}
            searchable
          />
        )}
        <Group justify="flex-end">
          <SecondaryButton type="submit" loading={busy} disabled={text.trim() === ''}>
            Comment
          </SecondaryButton>
        </Group>
      </Stack>
    </form>
  );
}

/** The colleagues who may read campaigns, as options with name and login. */
function useMentionable(): Loadable<readonly { value: string; label: string }[]> {
  return mapped(combined(useLoadable(peopleQuery), useLoadable(accountQuery)), ([{ people }, user]) =>
    people
      .filter(({ uuid, role }) => uuid !== user.uuid && companyRoleHas(role, 'campaign.read'))
      .map(({ uuid, first_name, last_name, login }) => ({
        value: uuid,
        label: `${[first_name, last_name].filter(Boolean).join(' ')} (${login})`,
      })),
  );
}

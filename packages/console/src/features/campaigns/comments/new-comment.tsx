import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { COMMENT_CHARS_MAX, COMMENT_MENTIONS_MAX } from '@bidwell/contract/comments/schema';
import { Button, Group, MultiSelect, Stack, Textarea } from '@mantine/core';
import { type Loadable, combined, isKnown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { peopleQuery } from '../../../entities/accounts/people-queries.ts';
import { type Commented, addComment } from '../../../entities/campaigns/comment-queries.ts';
import { accountQuery } from '../../../lib/api/account.ts';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { useTyped } from '../../../ui/form/unsaved-input.ts';
import { useSave } from '../../../ui/form/use-save.ts';

/** Writes a comment, and chooses who is notified of it. */
export function NewComment({ on }: { on: Commented }) {
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
          <Button type="submit" variant="default" loading={busy} disabled={text.trim() === ''}>
            Comment
          </Button>
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

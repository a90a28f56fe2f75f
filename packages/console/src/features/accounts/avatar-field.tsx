import { Avatar, Button, FileButton, Group, Input } from '@mantine/core';
import { Muted } from '../../ui/layout/muted.tsx';
import { AVATAR_TYPES, type AvatarChoice } from './use-avatar.ts';

interface AvatarFieldProps {
  /** The user's name, whose initials are shown without a picture. */
  name: string;
  avatar: AvatarChoice;
}

/** Shows the user's picture, and selects another one or removes it. */
export function AvatarField({ name, avatar: { file, url, error, change } }: AvatarFieldProps) {
  return (
    <Input.Wrapper label="Picture" description="PNG, JPEG or WebP, at most 2 MB" error={error}>
      <Group mt={6}>
        <Avatar src={url} name={name} color="initials" size={72} alt="Your picture" />
        <FileButton onChange={(chosen) => chosen && change(chosen)} accept={AVATAR_TYPES.join(',')}>
          {(props) => (
            <Button {...props} variant="default">
              {url ? 'Choose another picture' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {error ? (
          <Button variant="subtle" color="gray" onClick={() => change(undefined)}>
            Keep the current picture
          </Button>
        ) : (
          url && (
            <Button variant="subtle" color="gray" onClick={() => change(null)}>
              Remove picture
            </Button>
          )
        )}
      </Group>
      {file !== undefined && !error && (
        <Muted size="xs" mt={6} role="status">
          {file === null ? 'Removed' : 'Changed'} when you save.
        </Muted>
      )}
    </Input.Wrapper>
  );
}

import { limits } from '@bidwell/contract/lib/limits';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { messages } from '@bidwell/contract/text/messages';
import { useEffect, useMemo, useState } from 'react';
import { useKnown } from '../../lib/loadable.ts';
import { api } from '../../lib/api/api-client.ts';

export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** State of choosing the user's picture. `saved` is the URL of the present one; null without one. */
export function useAvatar(saved: string | null) {
  const [file, setFile] = useState<File | null | undefined>();
  const [error, setError] = useState<string>();
  return {
    /** The picture to save: null removes it, undefined keeps the saved one. */
    file,
    /** URL of the picture as it will be after saving; null without one. */
    url: useAvatarUrl(file, saved),
    error,
    setError,
    change: (next: File | null | undefined) => {
      setError(next ? avatarError(next) : undefined);
      setFile(next);
    },
  };
}

/** What {@link useAvatar} returns. */
export type AvatarChoice = ReturnType<typeof useAvatar>;

function avatarError(file: File): string | undefined {
  if (!AVATAR_TYPES.includes(file.type)) return messages.invalidFileType;
  return file.size > limits.avatarBytesMax ? accountMessages.avatarTooLarge : undefined;
}

function useAvatarUrl(chosen: File | null | undefined, saved: string | null): string | null {
  const url = useMemo(() => (chosen && !avatarError(chosen) ? URL.createObjectURL(chosen) : null), [chosen]);
  const data = useKnown({
    queryKey: ['file', saved],
    queryFn: () => api.fileUrl(saved!),
    enabled: saved !== null,
  });
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  if (chosen === null) return null;
  if (url !== null || saved === null) return url;
  return data === undefined ? null : data;
}

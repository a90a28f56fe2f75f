import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useState } from 'react';
import { replaceEndCard } from '../../entities/creatives/queries.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { messageOf, readFile } from './upload/upload-list.ts';

/** Replaces the end card of a video. `progress` is from 0 to 1, null while nothing is uploaded. */
export function useEndCard(assetUuid: string) {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const replace = async (file: File) => {
    const { error: fileError, src } = await readFile(file, 'EndCard', bannerResolutions);
    URL.revokeObjectURL(src);
    setError(fileError ?? undefined);
    if (fileError) return;
    setProgress(0);
    try {
      const { status } = await replaceEndCard(assetUuid, file, setProgress);
      const isReviewed = status === 'Moderation';
      toastSuccess(isReviewed ? screenMessages.endCardReplacedForReview : screenMessages.endCardReplaced);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setProgress(null);
    }
  };
  return { progress, error, replace };
}

import type { Audience, AudienceUpload, ImportMode } from '@bidwell/contract/audiences/schema';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { limits } from '@bidwell/contract/lib/limits';
import { FileInput, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { uploadIds } from '../../entities/audiences/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSave } from '../../ui/form/use-save.ts';

const modeOptions = [
  { value: 'replace', label: 'Replace all ids' },
  { value: 'add', label: 'Add to the ids' },
  { value: 'remove', label: 'Remove from the ids' },
] as const;

/** Uploads a file of ids to a list. An interrupted upload goes on where it was. */
export function UploadForm({ audience, onDone }: { audience: Audience; onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<ImportMode>('replace');
  const [begun, setBegun] = useState<AudienceUpload | undefined>(undefined);
  const [share, setShare] = useState<number | null>(null);
  const { save, busy, error } = useSave<File, AudienceUpload>({
    send: (chosen) =>
      uploadIds(
        { audience: audience.uuid, file: chosen, mode, begun },
        { onBegun: setBegun, onProgress: setShare },
      ),
    done: 'The file was uploaded. The list of audiences shows its import.',
    onSaved: onDone,
    shownInPlace: true,
  });
  const isTooLong = file !== null && file.size > limits.audienceFileBytesMax;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setBegun(undefined);
    setShare(null);
  };
  return (
    <DialogForm onSubmit={() => file && !isTooLong && save(file)}>
      <FileInput
        label="File"
        description="One id a line or CSV, plain or packed by gzip; up to 10 million ids"
        placeholder="Choose a file"
        accept=".csv,.txt,.tsv,.gz,text/csv,text/plain,application/gzip"
        value={file}
        onChange={choose}
        disabled={busy}
        error={isTooLong ? audienceMessages.fileTooLong : undefined}
        withAsterisk
      />
      <Choice
        label="What it does"
        data={modeOptions}
        value={mode}
        onChange={(chosen) => chosen && setMode(chosen)}
        disabled={busy || begun !== undefined}
      />
      {share !== null && (
        <Stack gap={4}>
          <Progress value={share * 100} aria-label="Progress of the upload" />
          <Text size="sm" role="status">
            {Math.floor(share * 100)}% sent
          </Text>
        </Stack>
      )}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-red-text)" role="alert">
          {error}
        </Text>
      )}
      <FormButtons
        action={begun && !busy ? 'Go on' : 'Upload'}
        onCancel={onDone}
        busy={busy}
        disabled={file === null || isTooLong}
      />
    </DialogForm>
  );
}

import { Button, type ButtonProps, FileButton } from '@mantine/core';

interface EndCardButtonProps extends ButtonProps {
  /** Accessible name of the file input. */
  label: string;
  onFile: (file: File) => void;
}

/** Selects the image that ends a video. */
export function EndCardButton({ label, onFile, ...button }: EndCardButtonProps) {
  return (
    <FileButton
      accept="image/jpeg,image/png"
      onChange={(file) => file && onFile(file)}
      inputProps={{ 'aria-label': label }}
    >
      {(props) => <Button {...props} {...button} />}
    </FileButton>
  );
}

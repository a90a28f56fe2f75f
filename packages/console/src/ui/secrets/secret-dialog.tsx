import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';

const SetHeld = createContext<(isHeld: boolean) => void>(() => {});

/**
 * A dialog that ends with something shown only once. While that is on the screen (see {@link useHeldDialog}), only a
 * button closes it: the Escape key would lose it. A click outside never closes it.
 */
export function SecretDialog({ children, ...props }: ModalProps) {
  const [isHeld, setIsHeld] = useState(false);
  return (
    <Modal {...props} closeOnClickOutside={false} closeOnEscape={!isHeld}>
      <SetHeld value={setIsHeld}>{children}</SetHeld>
    </Modal>
  );
}

/** Keeps the {@link SecretDialog} around it open until a button closes it, as long as the component is mounted. */
export function useHeldDialog(): void {
  const setIsHeld = useContext(SetHeld);
  useEffect(() => {
    setIsHeld(true);
    return () => setIsHeld(false);
  }, [setIsHeld]);
}

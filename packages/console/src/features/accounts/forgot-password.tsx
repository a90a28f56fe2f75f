import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { offersPasswordReset } from '../../entities/accounts/password-reset.ts';

/** Link to the form that sends a link for a new password; nothing where the server sends no mail. */
export function ForgotPassword() {
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    let isHere = true;
    void offersPasswordReset().then((offered) => isHere && setIsOffered(offered));
    return () => {
      isHere = false;
    };
  }, []);
  if (!isOffered) return null;
  return (
    <Anchor component={Link} to="/password-reset" size="sm" underline="always" style={{ alignSelf: 'end' }}>
      Forgot password?
    </Anchor>
  );
}

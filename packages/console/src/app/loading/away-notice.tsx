import { consoleMessages } from '@bidwell/contract/text/messages';
import { useAwayNotice } from '../../lib/load-code.ts';
import classes from '../../ui/layout/connection-notice.module.css';

/** Notice at the lower edge of every page that the browser is offline, or that a screen waits for the server. */
export function AwayNotice() {
  const notice = useAwayNotice();
  return (
    <div role="status" className={classes['container']}>
      {notice && <div className={classes['notice']}>{consoleMessages.away[notice]}</div>}
    </div>
  );
}

import { type App, appVersion } from '@bidwell/contract/apps/schema';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { osNames } from '../../lib/format/os-names.ts';
import { appsQuery, updateApp } from '../../entities/apps/queries.ts';
import { AppIcon } from '../../entities/apps/app-icon.tsx';
import { ArchiveMenu } from '../../entities/archive/archive-menu.tsx';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { actionsColumn, descriptionColumn } from '../../entities/archive/entity-columns.tsx';
import { RowLink } from '../../ui/layout/links.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import classes from './app-columns.module.css';

const saving = { list: appsQuery, version: appVersion, save: updateApp, permission: 'app.write' } as const;

/** Columns of a table of apps. */
export const appColumns: Column<App>[] = [
  {
    id: 'name',
    header: 'Title',
    sortBy: (app) => app.name,
    cell: (app) => (
      <div className={classes['name']}>
        <AppIcon app={app} size={32} />
        <div>
          <strong>{app.name}</strong>
          <span className={classes['os']}>{osNames[app.os]}</span>
          <CopyText value={app.uuid} label="app id" />
        </div>
      </div>
    ),
  },
  descriptionColumn(saving),
  {
    id: 'status',
    header: 'Status',
    sortBy: (app) => app.status,
    cell: (app) => <StatusBadge status={app.status} reason={app.rejection_reason} />,
  },
  {
    id: 'link',
    header: 'Link',
    cell: (app) => (
      <a className={classes['link']} href={app.store_link} target="_blank" rel="noopener noreferrer">
        App market URL
      </a>
    ),
  },
  {
    id: 'bundle',
    header: 'App Market Bundle ID',
    sortBy: (app) => app.bundle_id,
    cell: (app) => <CopyText value={app.bundle_id} label="bundle id" full />,
  },
  {
    id: 'mmp',
    header: 'MMP',
    sortBy: (app) => app.mobile_measurement_partner,
    cell: (app) => mmpNames[app.mobile_measurement_partner],
  },
  actionsColumn((app) => (
    <>
      <RowLink to="/edit-app" search={{ uuid: app.uuid }} aria-label={`Edit ${app.name}`}>
        Edit
      </RowLink>
      <ArchiveMenu path="app" uuid={app.uuid} name={app.name} archivedAt={app.archived_at} />
    </>
  )),
];

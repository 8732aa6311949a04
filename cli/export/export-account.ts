import path from 'node:path';
import { formatBytes } from '../../web/app/texts/format.ts';
import { usageError } from '../command-error.ts';
import { requireKey, type Session } from '../session.ts';
import { downloadExport } from './download-export.ts';
import { exportFolder } from './export-folder.ts';
import { exportSource } from './export-source.ts';

/**
 * `export`: downloads the account with all projects and kept versions into a folder; an interrupted export is
 * continued.
 */
export async function exportAccount(session: Session, [folder]: readonly string[]): Promise<void> {
  const { context, service, progress } = session;
  requireKey(session);
  if (folder === undefined) throw usageError('Name a folder for the export.');
  const out = path.resolve(context.cwd, folder);
  let soFar = '';
  const { account, projects } = await downloadExport({
    source: exportSource(service, context.signal),
    folder: exportFolder(out),
    signal: context.signal,
    report({ objects, fetched, bytes }) {
      soFar = `${objects} files, ${formatBytes(bytes)}; ${fetched} downloaded in this run`;
      progress.show(soFar);
    },
  });
  session.say(`${soFar}.`);
  session.say('It holds the hashes of visitor passwords. Keep it private.');
  session.answer({ folder: out, email: account.email, projects: projects.length }, [
    `${out} holds ${projects.length} projects of ${account.email}.`,
  ]);
}

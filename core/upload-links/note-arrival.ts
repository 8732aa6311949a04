import type { ProjectId } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { MailNotices, NoticeKey } from '../ports.ts';
import type { UploadLink } from './upload-link.ts';

/** The owner of a file request gets at most one mail in this time about what arrives. */
export const mailsApartSeconds = 3600;

/** The dependencies for noting what arrived. The files are published: a mail that cannot be noted fails nothing. */
export interface NoteArrivalDeps {
  notices: Pick<MailNotices, 'note'>;
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** Notes that an upload link was used. */
export async function noteArrival(
  deps: NoteArrivalDeps,
  { id, notify }: UploadLink,
  projectId: ProjectId,
): Promise<void> {
  if (notify !== undefined) await note(deps, { projectId, link: { kind: 'upload', id } });
}

/** Notes that an upload of a file request was published: for its owner, and for who sent it. */
export async function noteReceived(
  deps: NoteArrivalDeps,
  { tokenHash: requestHash, link }: { tokenHash: string; link: UploadLink },
  number: number,
): Promise<void> {
  const { notify, request, mailed } = link;
  const soonest = mailed && plusSeconds(new Date(mailed.at), mailsApartSeconds);
  if (notify !== undefined) await note(deps, { requestHash }, soonest);
  if (request?.receipts === true) await note(deps, { requestHash, number });
}

async function note(deps: NoteArrivalDeps, key: NoticeKey, soonest = new Date(0)): Promise<void> {
  const at = deps.now();
  const dueAt = instant(soonest > at ? soonest : at);
  await deps.notices
    .note(key, { at: instant(at), dueAt })
    .catch((error: unknown) => deps.onFailure({ kind: 'notice', ...key }, error));
}

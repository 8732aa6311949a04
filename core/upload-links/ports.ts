import type { AccountId, Instant } from '../../contract/fields.ts';
import type { UploadId } from '../uploads/upload.ts';
import type { NamedUploadLink, UploadLink, UploadLinkId } from './upload-link.ts';

/** Upload links, by the hash of their token; exact when many use one at once. */
export interface UploadLinkStore {
  create(tokenHash: string, link: NamedUploadLink): Promise<void>;
  /** Also one that is used, or whose time is over. */
  find(tokenHash: string): Promise<UploadLink | undefined>;
  /** Takes a link for one publication; false when it is taken or used, or its time is over. */
  take(tokenHash: string, at: Instant): Promise<boolean>;
  /** The publication was refused: the link may be used again. */
  giveBack(tokenHash: string): Promise<void>;
  /** A taken link has published. */
  use(tokenHash: string, uploadId: UploadId | null): Promise<void>;
  /** What used it could not be published after all; it may be used again. */
  reopen(tokenHash: string, uploadId: UploadId): Promise<void>;
  /** An account's links that are open now, newest first: at most 100, of the newest thousand. */
  listOpen(accountId: AccountId, now: Date): Promise<NamedUploadLink[]>;
  /** Takes a link away, whatever its state; false when the account has none of that id. */
  remove(accountId: AccountId, id: UploadLinkId): Promise<boolean>;
}

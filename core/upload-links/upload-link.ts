import { daySeconds } from '../../contract/limits.ts';
import * as z from 'zod';
import { FileRequest, ReceivedUpload } from '../../contract/file-request.ts';
import { AccountId, DomainId, Instant, ProjectId } from '../../contract/fields.ts';
import { Credential } from '../accounts/keys/credential.ts';
import { instant, plusSeconds } from '../instants.ts';
import { timeOrderedId } from '../time-ordered-id.ts';
import { UploadId } from '../uploads/upload.ts';
import { keptSeconds } from './file-request.ts';

/** How long a link can be used. */
export const linkSeconds = daySeconds;

/** The id by which the owner manages an upload link. Its token, which is separate, gives access. */
export const UploadLinkId = z.uuid().brand<'UploadLinkId'>();
export type UploadLinkId = z.infer<typeof UploadLinkId>;

/** A link with which somebody without a key publishes once for an account. */
export const UploadLink = z.object({
  id: UploadLinkId,
  accountId: AccountId,
  /** The credential that created it; the link ends with that credential. */
  madeWith: Credential,
  /** The title of the project that it creates, and the heading of its page. */
  title: z.string().nullable(),
  /** The project that gets a new version, or the folders of a file request; null if uploads become projects. */
  projectId: z.nullable(ProjectId),
  /** The custom domain of the new project. */
  domainId: z.nullable(DomainId),
  /** Present if the owner gets a mail when it is used. */
  notify: z.optional(z.literal(true)),
  createdAt: Instant,
  expiresAt: Instant,
  /** `locked` while a request publishes an upload with it. */
  state: z.enum(['waiting', 'locked', 'used']),
  /** While it is `locked`: when the request that locked it has certainly ended. */
  lockedUntil: z.optional(Instant),
  /** The large upload that used it. */
  uploadId: UploadId.nullable(),
  /** Present if it is a file request: it is never `locked` or `used`, but counts its uploads. */
  request: z.optional(FileRequest),
  /** Uploads of a file request that were received or are being received. */
  received: z.optional(z.int()),
  /** The last mail to the owner of a file request: when it was, and the number of the last upload in it. */
  mailed: z.optional(z.object({ at: Instant, number: z.int() })),
});
export type UploadLink = z.infer<typeof UploadLink>;
export type ReceivedUpload = z.infer<typeof ReceivedUpload>;

/** An upload whose sender gets a receipt by mail, once it is published. */
export const MailedReceipt = ReceivedUpload.extend({
  senderEmail: z.string(),
  mailsReceipt: z.literal(true),
});

/** A new id; links sorted by their ids are sorted by age. */
export function newUploadLinkId(now: Date): UploadLinkId {
  return UploadLinkId.parse(timeOrderedId(now));
}

/** A request has ended after this: its function ends after 29 seconds (Amazon API Gateway quota), and clocks differ. */
const lockSeconds = 60;

/** The end of a lock that begins now. */
export function lockEnd(now: Date): Instant {
  return instant(plusSeconds(now, lockSeconds));
}

/**
 * Whether the request that locked a link was cut off. It is unknown whether that request published
 * something, and a link publishes only once, so the link counts as used.
 */
export function isCutOff({ state, lockedUntil: until = '' }: UploadLink, now: Date): boolean {
  return state === 'locked' && until <= instant(now);
}

/** Whether a link can still be used, or is being used. */
export function isOpen(link: UploadLink, now: Date): boolean {
  const isUsed = link.state === 'used' || isCutOff(link, now) || isFull(link);
  return !isUsed && Date.parse(link.expiresAt) > now.getTime();
}

/** Whether a file request has received all its uploads. */
export function isFull({
  request,
  received = 0,
}: Pick<UploadLink, 'request' | 'received'>): boolean {
  return request !== undefined && received >= request.maxUploads;
}

/** Whether the owner sees a link in the list: while it is open, and a file request for some time after it. */
export function isListed(link: UploadLink, now: Date): boolean {
  return link.request === undefined ? isOpen(link, now) : now < keptUntil(link);
}

/** Until when the rows of a link are of use. */
export function keptUntil({ request, expiresAt }: UploadLink): Date {
  return plusSeconds(new Date(expiresAt), request === undefined ? 0 : keptSeconds);
}

/** A part of the uploads of a file request: so many, of those with lower numbers. */
export interface ReceivedPage {
  limit: number;
  below: number;
}

/** What finds a link in its owner's list. */
type ListedLink = Pick<UploadLink, 'accountId' | 'id'>;

/** Upload links, by the hash of their token. Concurrent uses of one link are serialised. */
export interface UploadLinkStore {
  create(tokenHash: string, link: UploadLink): Promise<void>;
  /** Finds used and expired links too. */
  find(tokenHash: string): Promise<UploadLink | undefined>;
  /** Locks a link for one publication, whose request ends before `until`; false when it is locked, used or expired. */
  lock(tokenHash: string, at: Instant, until: Instant): Promise<boolean>;
  /** Unlocks a link whose publication was refused. */
  release(tokenHash: string): Promise<void>;
  markUsed(tokenHash: string, link: ListedLink, uploadId: UploadId | null): Promise<void>;
  /** Makes a used link usable again: its upload could not be published. */
  reopen(tokenHash: string, link: ListedLink, uploadId: UploadId): Promise<void>;
  /**
   * Takes one of the uploads that a file request still has, for an upload that began at `at`, and returns its
   * number, which no other upload of the request gets. Exact: nothing if none is left, or the request had closed.
   */
  take(tokenHash: string, at: Instant): Promise<number | undefined>;
  /** Gives back what an upload took that was not published, and removes it from the list. False if that was done before. */
  giveBack(tokenHash: string, number: number): Promise<boolean>;
  /** Adds an upload to the list of a file request; nothing if the request was deleted. */
  addReceived(
    tokenHash: string,
    link: UploadLink,
    received: ReceivedUpload | z.infer<typeof MailedReceipt>,
  ): Promise<void>;
  /** An upload whose sender gets a receipt by mail; `undefined` if there is none with this number. */
  findReceipt(
    tokenHash: string,
    number: number,
  ): Promise<z.infer<typeof MailedReceipt> | undefined>;
  /** Notes the last mail to the owner of a file request, if it is still there. */
  noteMailed(tokenHash: string, mailed: NonNullable<UploadLink['mailed']>): Promise<void>;
  /** The newest uploads of an account's file request, newest first; `undefined` if the account has no such link. */
  listReceived(
    accountId: AccountId,
    id: UploadLinkId,
    page: ReceivedPage,
  ): Promise<{ received: ReceivedUpload[]; hasMore: boolean } | undefined>;
  /**
   * An account's links that are open now, and its file requests of the last weeks, newest first: at most 100, of
   * the newest thousand.
   */
  listOpen(accountId: AccountId, now: Date): Promise<UploadLink[]>;
  /** Deletes a link in any state; false when the account has no link with that id. */
  remove(accountId: AccountId, id: UploadLinkId): Promise<boolean>;
  removeAll(accountId: AccountId): Promise<void>;
}

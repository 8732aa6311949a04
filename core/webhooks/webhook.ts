import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import { WebhookEvent, WebhookFormat, WebhookId } from '../../contract/operations/webhooks.ts';

/** One key with which deliveries are signed; the former one until it ends. */
export const WebhookSecret = z.object({ secret: z.string(), until: z.nullable(Instant) });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

/** An address that gets events of an account, or of one of its projects. */
export const Webhook = z.object({
  id: WebhookId,
  url: z.string(),
  events: z.array(WebhookEvent),
  /** The only project that it gets events of; null for all of the account. */
  projectId: z.nullable(ProjectId),
  format: WebhookFormat,
  enabled: z.boolean(),
  /** Since when every attempt has failed; null after one that did not. */
  failingSince: z.nullable(Instant),
  /** Until when it counts as slow; absent if no attempt ever took long. */
  slowUntil: z.optional(Instant),
  /** Of the key that made it or changed it last; it ends with this key. Absent if that was done in a browser. */
  keyHash: z.optional(z.string()),
  /** Newest first, at most two. */
  secrets: z.array(WebhookSecret),
  createdAt: Instant,
});
export type Webhook = z.infer<typeof Webhook>;

/** The webhooks of accounts. */
export interface WebhookStore {
  list(accountId: AccountId): Promise<Webhook[]>;
  /**
   * Replaces the webhooks of an account by what `decide` returns, and returns its result. After a concurrent change
   * `decide` is called again; without `next` nothing is written.
   */
  change<T>(
    accountId: AccountId,
    decide: (webhooks: readonly Webhook[]) => { next?: Webhook[]; result: T },
  ): Promise<T>;
}

/** What happened, for the webhooks that want it. */
export interface AccountEvent {
  type: WebhookEvent;
  at: Instant;
  accountId: AccountId;
  /** Null for what concerns the whole account. */
  projectId: ProjectId | null;
  /** The fields of `data`; a `host` becomes the address of the site when it is sent. */
  data: Readonly<Record<string, unknown>>;
}

/** Identifies one line of deliveries: of one webhook, about one project or the account, or of one delivery alone. */
export interface LaneKey {
  webhookId: WebhookId;
  subject: string;
}

/** Passes a line to a sender, beside others of other webhooks, at once or after up to 900 seconds. */
export type StartLane = (key: LaneKey, afterSeconds?: number) => Promise<void>;

/** The webhooks that get an event. Pure. */
export function receiversOf(
  webhooks: readonly Webhook[],
  { type, projectId }: Pick<AccountEvent, 'type' | 'projectId'>,
): Webhook[] {
  return webhooks.filter(
    (one) =>
      one.enabled &&
      one.events.includes(type) &&
      (one.projectId === null || one.projectId === projectId),
  );
}

import * as z from 'zod';
import { ProjectId } from '../../contract/fields.ts';
import { StoreId } from '../../core/content/content-keys.ts';
import type { ProjectRemains } from '../../core/projects/removal/sweep.ts';

const Text = z.object({ S: z.string() }).transform(({ S }) => S);

const StreamRecord = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: Text, sk: Text }),
    OldImage: z.looseObject({ host: Text.optional(), claimHash: Text.optional() }).optional(),
  }),
});

/** A DynamoDB stream event, as Lambda delivers it. */
export const StreamEvent = z.object({ Records: z.array(StreamRecord) });
export type StreamEvent = z.infer<typeof StreamEvent>;

/** The data that remains to be removed after DynamoDB's TTL has deleted a row. */
export type ExpiredRemains =
  | ({ kind: 'project' } & ProjectRemains)
  | { kind: 'intent'; projectId: ProjectId; store: StoreId };

/** Lists the data to remove for each expired row; skips rows without such data. */
export function findRemains(event: StreamEvent): ExpiredRemains[] {
  return event.Records.flatMap(({ dynamodb: { Keys, OldImage } }): ExpiredRemains[] => {
    const projectId = ProjectId.safeParse(Keys.pk.replace(/^PROJECT#/, '')).data;
    if (projectId === undefined) return [];
    const store = StoreId.safeParse(Keys.sk.replace(/^INTENT#/, '')).data;
    if (store !== undefined) return [{ kind: 'intent', projectId, store }];
    const { host, claimHash } = OldImage ?? {};
    return Keys.sk === 'META' ? [{ kind: 'project', projectId, host, claimHash }] : [];
  });
}

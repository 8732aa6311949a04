import * as z from 'zod';
import { PathId } from '../fields.ts';
import { listEvents } from '../operations/events.ts';
import { readOnlyHints, tool } from '../tool.ts';

const { after, linkId } = listEvents.input.shape;

/** `wait_for_open`: the next opens of a project, or of one of its share links. */
export const waitForOpenTool = tool({
  name: 'wait_for_open',
  title: 'Wait until a link is opened',
  description:
    'Wait up to 25 seconds until somebody opens a project, or one of its share links. If `opens` is empty, call again with `nextCursor` as `after`. Needs a paid plan or the trial.',
  hints: readOnlyHints,
  scope: 'projects:read',
  icon: { file: 'wait', path: 'M6 3h12M6 21h12M8 3v4l8 10v4M16 3v4L8 17v4' },
  operation: listEvents,
  input: z.strictObject({
    projectId: PathId,
    linkId: linkId.describe('From list_share_links. Example: Xn1aN5RL…'),
    after: after.describe('Example: mk3v5k9c.'),
  }),
  // Each as `recentOpens` of get_link_opens, whose schema describes its fields.
  output: z.object({
    opens: z.array(z.looseObject({ at: z.string() })),
    nextCursor: z.string(),
  }),
});

import * as z from 'zod';
import { listShareLinks } from '../operations/share-links.ts';
import { readOnlyHints, tool } from '../tool.ts';

const { id, name, state, usedOpens, opens, lastOpenedAt } =
  listShareLinks.output.shape.links.element.shape;

/** `list_share_links`: the share links of a project, and whether they were opened. */
export const listShareLinksTool = tool({
  name: 'list_share_links',
  title: 'List the share links of a project',
  description:
    'List the share links of a project with their opens, newest first. Use it for "did Anna open her link?". Their addresses are not shown again.',
  hints: readOnlyHints,
  scope: 'projects:read',
  icon: { file: 'shares', path: 'M4 6h10M4 12h7M4 18h6M17 20v-9M14 14l3-3 3 3' },
  operation: listShareLinks,
  input: z.strictObject(listShareLinks.input.shape),
  // All fields of the operation.
  output: z.object({
    links: z.array(z.looseObject({ id, name, state, usedOpens, opens, lastOpenedAt })),
  }),
});

import * as z from 'zod';
import { createShareLink } from '../operations/share-links.ts';
import { tool } from '../tool.ts';
import { ToolWarnings } from './shared-fields.ts';

const { projectId, name, maxOpens, password, notify, downloads, version } =
  createShareLink.input.shape;
const { id, url } = createShareLink.output.shape;

/** `create_share_link`: an address of its own for one reader or group. */
export const createShareLinkTool = tool({
  name: 'create_share_link',
  title: 'Create a share link',
  description:
    'Create a link for one reader or group. It opens a project whatever its `access`, also a `private` one, and counts its own opens: list_share_links tells them. Give the user `url`, which is shown only once. For people who must prove their e-mail address, use update_project_settings with `access: people`.',
  hints: {
    readOnlyHint: false,
    // It lets others in.
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  scope: 'projects:write',
  icon: { file: 'share', path: 'M4 12v8h16v-8M12 15V3M8 7l4-4 4 4' },
  operation: createShareLink,
  input: z.strictObject({
    projectId,
    name: name.describe('Who it is for; visitors never see it. Example: Anna'),
    expiresAt: z.string().optional(),
    maxOpens: maxOpens.describe('How often people may open it. Example: 5'),
    password,
    notify: notify.describe('Mails the owner about opens. Example: first'),
    downloads: downloads.describe('`false` refuses downloads. Example: false'),
    version: version.describe('A kept version instead of the live one. Example: 2'),
  }),
  output: z.looseObject({ id, url, warnings: ToolWarnings.optional() }),
});

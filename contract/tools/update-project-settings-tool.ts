import * as z from 'zod';
import { updateProjectSettings } from '../operations/project-settings.ts';
import { People } from '../people.ts';
import { ProjectResource } from '../project-resource.ts';
import { changingHints, tool } from '../tool.ts';

const { url, status, access, expiresAt } = ProjectResource.shape;
const shownFields = { url, status, access, expiresAt };

/** `update_project_settings`: title, address, access, expiry and other settings. */
export const updateProjectSettingsTool = tool({
  name: 'update_project_settings',
  title: 'Change the settings of a project',
  description:
    'Change title, address (`slug`, `domainId`), access, expiry and more, from the next visitor on. Only the fields that you send change. A new `slug` is a new URL; the old one stops working. `domainId` moves it to a custom domain, `null` back. `access`: `public`, `password` (requires `password`), `private` (the owner only), `people` (those of `people`) or `identify` (anyone), both after a code by e-mail. `status: private` unpublishes it. `expiresIn: none` removes the expiry. Needs a paid plan or the trial. `liveVersion` makes another version live; get_project lists them. For files, use update_project_files.',
  hints: changingHints,
  scope: 'projects:write',
  icon: { file: 'settings', path: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5h4v5h-4zM7 14.5h4v5H7z' },
  operation: updateProjectSettings,
  input: updateProjectSettings.input.safeExtend({
    people: People.optional().describe('Replaces the list'),
    deniedPeople: People.optional().describe('Never let in. Example: ["bo@y.com"]'),
    expiresAt: z.string().nullable().optional(),
    liveVersion: z
      .int()
      .positive()
      .optional()
      .describe('Makes a draft or an earlier version live. Send it alone. Example: 2'),
  }),
  // All fields of get_project, whose schema describes them.
  output: updateProjectSettings.output.extend({ project: z.looseObject(shownFields) }),
});

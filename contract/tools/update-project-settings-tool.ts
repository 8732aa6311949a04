import * as z from 'zod';
import { updateProjectSettings } from '../operations/project-settings.ts';
import { ProjectResource } from '../project-resource.ts';
import { changingHints, tool } from '../tool.ts';

/** `update_project_settings`: title, address, access, expiry and other settings. */
export const updateProjectSettingsTool = tool({
  name: 'update_project_settings',
  title: 'Change the settings of a project',
  description:
    'Change the settings of a project: title, address (`slug`, `domainId`), access, password, expiry and more. Changes apply from the next visitor on. Only the fields that you send change. A new `slug` is a new URL; the old one stops working. `domainId` moves the project to a custom domain, `null` back. `access` says who may view the project: `public`, `password` (requires `password`) or `private` (the owner only). `status: private` unpublishes it for everybody. `expiresIn: none` removes the expiry. Needs a paid plan or the trial. `liveVersion` rolls back to an earlier version or makes a draft live; get_project lists them. For files, use update_project_files.',
  hints: changingHints,
  scope: 'projects:write',
  icon: { file: 'settings', path: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5h4v5h-4zM7 14.5h4v5H7z' },
  operation: updateProjectSettings,
  input: updateProjectSettings.input.safeExtend({
    expiresAt: z.string().nullable().optional(),
    liveVersion: z
      .int()
      .positive()
      .optional()
      .describe('Makes a draft or an earlier version live. Send it alone. Example: 2'),
  }),
  output: updateProjectSettings.output.extend({ project: ProjectResource }),
});

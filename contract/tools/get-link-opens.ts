import * as z from 'zod';
import { getProjectOpens } from '../operations/analytics.ts';
import { looksOnly, tool } from '../tool.ts';

/** `get_link_opens`: who looked at a project. */
export const getLinkOpensTool = tool({
  name: 'get_link_opens',
  title: 'Who opened a link',
  description:
    'How often and by whom a project was looked at: `opens` are people in a browser, without the owner; `visits` are all page requests but those of known bots; the latest opens come with country, device and referrer. Use it for "did they open it?". A moment ago may not be counted yet: ask again in a minute. Needs a paid plan or the trial.',
  hints: looksOnly,
  scope: 'projects:read',
  operation: getProjectOpens,
  input: z.strictObject(getProjectOpens.input.shape),
  output: getProjectOpens.output,
});

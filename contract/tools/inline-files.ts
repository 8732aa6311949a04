import * as z from 'zod';

/** A file in a call: its text, or its bytes as base64. */
const InlineFile = z.strictObject({
  path: z.string().min(1).max(1024).describe('With its folders: assets/app.css'),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
});

/** Files in a call; plans take fewer. Without a limit, 4 MB of `{}` would be millions of errors. */
export const InlineFiles = z.array(InlineFile).max(20_000);

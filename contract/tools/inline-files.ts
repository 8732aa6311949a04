import * as z from 'zod';

/** A file in a call: its text, or its bytes as base64. */
const InlineFile = z.strictObject({
  path: z.string().min(1).max(1024).describe('With its folders: assets/app.css'),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
});

/** As many as a form may hold: all of them are stored while the caller waits. */
const maxInlineFiles = 200;

/** Files in a call. */
export const InlineFiles = z
  .array(InlineFile)
  .max(maxInlineFiles, `holds more than ${maxInlineFiles} files; create_upload_link takes more`);

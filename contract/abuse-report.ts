import * as z from 'zod';
import { EmailAddress } from './fields.ts';

/** What a visitor says is wrong with a site. */
export const ReportReason = z.enum(['phishing', 'malware', 'copyright', 'illegal', 'other']);
export type ReportReason = z.infer<typeof ReportReason>;

/** The form leaves a field that nobody filled in as empty text. */
const emptyIsAbsent = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;

/** `POST /_slipway/report` on every site, as JSON or as a form. */
export const AbuseReportInput = z.object({
  reason: z.enum(ReportReason.options, {
    error: `Choose one of ${ReportReason.options.join(', ')}.`,
  }),
  message: z
    .string({ error: 'Say what you saw.' })
    .trim()
    .min(1, 'Say what you saw.')
    .max(2000, 'Say it in at most 2000 characters.'),
  email: z.preprocess(emptyIsAbsent, EmailAddress.optional()),
  /** The page in question, as the visitor wrote it down. */
  url: z.preprocess(emptyIsAbsent, z.string().trim().max(2000).optional()),
});
export type AbuseReportInput = z.infer<typeof AbuseReportInput>;

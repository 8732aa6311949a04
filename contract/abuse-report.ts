import * as z from 'zod';
import { EmailAddress } from './fields.ts';

/** Why a visitor reports a site. */
export const ReportReason = z.enum(['phishing', 'malware', 'copyright', 'illegal', 'other']);
export type ReportReason = z.infer<typeof ReportReason>;

/** What operators decided about a report. */
export const ReportOutcome = z.enum(['nothing-wrong', 'taken-down', 'suspended']);
export type ReportOutcome = z.infer<typeof ReportOutcome>;

/** An HTML form sends an empty text for a field that was left empty. */
const emptyIsAbsent = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;

/** `POST /_slipway/report` on every site, as JSON or as a form. */
export const AbuseReportInput = z.object({
  reason: z.enum(ReportReason.options, {
    error: `Choose one of ${ReportReason.options.join(', ')}.`,
  }),
  message: z
    .string({ error: 'Describe what you saw.' })
    .trim()
    .min(1, 'Describe what you saw.')
    .max(2000, 'Use at most 2000 characters.'),
  email: z.preprocess(emptyIsAbsent, EmailAddress.optional()),
  /** Address of the reported page, as the visitor typed it. */
  url: z.preprocess(emptyIsAbsent, z.string().trim().max(2000).optional()),
});
export type AbuseReportInput = z.infer<typeof AbuseReportInput>;

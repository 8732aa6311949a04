import * as z from 'zod';
import { ChosenEnd, EmailAddress, Instant, ProjectId, QueuedUploadId, Title } from './fields.ts';

/** How long a file request may be open, in days. */
export const maxRequestDays = 90;

const maxUploadsOfRequest = 500;

/** Text of several lines: line breaks are its only control characters, and nothing turns its direction. */
const Message = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .refine(
    (text) => !/[\p{Zl}\p{Zp}\p{Bidi_Control}]|(?!\n)\p{Cc}/u.test(text.replaceAll('\r\n', '\n')),
    {
      error: 'must not have control characters or characters that change the direction of text',
    },
  );

/** What a file request asks for. Any of these fields makes an upload link a file request. */
export const requestFields = {
  message: Message.optional(),
  closesAt: ChosenEnd.optional(),
  maxUploads: z.int().min(1).max(maxUploadsOfRequest).optional(),
  maxBytes: z.int().min(1).optional(),
  accept: z
    .array(z.string().regex(/^\.[a-z0-9]{1,16}$/, 'must be an ending such as .pdf'))
    .min(1)
    .max(30)
    .optional(),
  askName: z.boolean().optional(),
  askEmail: z.boolean().optional(),
  receipts: z.boolean().optional(),
  private: z.boolean().optional(),
  into: z.uuid().optional().describe('A list of files (paid plans)'),
};

/** The fields of {@link requestFields} as they were chosen; `closesAt` is the link's `expiresAt`, `into` its `projectId`. */
const { closesAt: _, into: __, maxUploads, private: isPrivate, ...choices } = requestFields;
export const FileRequest = z.object({
  ...choices,
  maxUploads: maxUploads.unwrap(),
  private: isPrivate.unwrap(),
});

/** Who sends files by a file request. */
export const senderFields = {
  senderName: Title.max(100).optional().describe('Who sends the files, for a file request.'),
  senderEmail: EmailAddress.optional().describe('The address of the sender, for a file request.'),
};

/** What arrived by one upload. At most 100 files are listed, whose names have 4,000 bytes together; `fileCount` counts all. */
const arrivedFields = {
  number: z.int().describe('Counts the uploads of the request'),
  receivedAt: Instant,
  files: z.array(z.object({ path: z.string(), size: z.int() })),
  fileCount: z.int(),
  bytes: z.int(),
};

/** The answer to an upload by a file request. It names no project: senders do not see each other's files. */
export const Receipt = z.object({ ...arrivedFields, uploadId: QueuedUploadId });

/** An upload by a file request, as its owner sees it. */
export const ReceivedUpload = z.object({
  ...arrivedFields,
  senderName: z.nullable(z.string()),
  senderEmail: z.nullable(z.string()),
  projectId: z.nullable(ProjectId),
});

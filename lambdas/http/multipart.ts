import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { UploadedFile } from '../../contract/fields.ts';
import { quoted } from '../../core/content/safe-path.ts';
import { CodedError, invalidField } from '../../core/errors.ts';

/** Maximum number of files in a form. */
export const maxFormFiles = 200;

/** Limits of any form; an operation may have stricter ones. */
const limits = {
  files: maxFormFiles,
  fields: 50,
  parts: 250,
  fieldSize: 8 * 1024,
  headerPairs: 20,
};

/** busboy limits the length of a field's name only in url-encoded bodies. */
const maxNameLength = 100;

/** RFC 2046 §5.1.1. */
const maxBoundaryLength = 70;

/** Field names for files (docs/contract.md, "Temporary projects"). */
const fileFields = new Set(['files', 'files[]', 'file']);

/** A form's fields by name, and its files in order in `files`. */
export type Form = Record<string, unknown> & { files: UploadedFile[] };

/**
 * Reads a whole `multipart/form-data` body (RFC 7578). File names keep their folders; names are
 * UTF-8, `filename*` (RFC 8187) included.
 * @throws CodedError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, TOO_MANY_FILES
 */
export function readForm(
  body: Buffer,
  contentType: string | undefined,
  otherTypeStep = formStep,
): Promise<Form> {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', {
      error: `The body has ${typeText(contentType)}; files must be sent as multipart/form-data in the field \`files\`.`,
      nextStep: otherTypeStep,
    });
  }
  if (hasLongBoundary(contentType)) {
    throw wrongField('body', `has a boundary of more than ${maxBoundaryLength} characters`);
  }
  return new Promise((resolve, reject) => {
    const form: Form = Object.assign(Object.create(null), { files: [] });
    const parser = openParser(contentType);
    collectParts(parser, form, reject);
    parser.on('close', () => resolve(form));
    try {
      parser.end(body);
    } catch (error) {
      reject(toCodedError(error));
    }
    // The parser has the whole body, so all its events come before this. It would wait for ever for
    // the end of a file that begins after the closing boundary.
    setImmediate(() => reject(incompleteForm()));
  });
}

const formStep =
  'Send the files as multipart/form-data in the field `files`, for example with curl -F files=@FILE.';

function typeText(contentType: string | undefined): string {
  return contentType === undefined || contentType === ''
    ? 'no content type'
    : `the type ${quoted(contentType)}`;
}

/** Whether any `boundary` parameter is too long, quoted or not: parsers differ in which one they use. */
function hasLongBoundary(contentType: string | undefined): boolean {
  const boundaries = (contentType ?? '').matchAll(/;\s*boundary\s*=\s*(?:"([^"]*)"?|([^;]*))/gi);
  return [...boundaries].some(
    ([, quoted, plain = '']) => (quoted ?? plain.trimEnd()).length > maxBoundaryLength,
  );
}

/** @throws CodedError INVALID_REQUEST if the content type has no boundary */
function openParser(contentType: string | undefined): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      defParamCharset: 'utf8',
      limits,
    });
  } catch (error) {
    throw toCodedError(error);
  }
}

/**
 * Collects the parts of a form. Handlers run after the call that started them has returned, so an
 * uncaught error would end the process. Each passes its errors to `fail`.
 */
function collectParts(parser: busboy.Busboy, form: Form, fail: (error: unknown) => void): void {
  const failAsSender = (error: unknown) => fail(toCodedError(error));
  const guarded = handlerGuard(fail);
  const onFile = guarded(
    (field: string | undefined, stream: Readable, { filename, mimeType }: busboy.FileInfo) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', failAsSender);
      const onEnd = guarded(() => {
        const part = { name: filename, contentType: mimeType, bytes: Buffer.concat(chunks) };
        addFile(form, field, part);
      });
      stream.on('end', onEnd);
    },
  );
  const onField = guarded((field: string | undefined, value: string, info: busboy.FieldInfo) =>
    addField(form, field, { value, isTruncated: info.valueTruncated }),
  );
  parser.on('file', onFile);
  parser.on('field', onField);
  parser.on('filesLimit', () => fail(tooManyFiles()));
  parser.on('partsLimit', () => fail(tooManyFiles()));
  parser.on('fieldsLimit', () => fail(wrongField('body', 'has too many fields')));
  parser.on('error', failAsSender);
}

/** Wraps handlers so that their errors go to `fail`. */
function handlerGuard(fail: (error: unknown) => void) {
  return <A extends unknown[]>(handler: (...args: A) => void) =>
    (...args: A): void => {
      try {
        handler(...args);
      } catch (error) {
        fail(error);
      }
    };
}

/** @throws CodedError INVALID_REQUEST */
function addFile(form: Form, field: string | undefined, part: SentFile): void {
  const { name, contentType, bytes } = part;
  // A browser sends an empty part without a name for an empty file field.
  if (!name && bytes.length === 0) return;
  if (!field) throw wrongField('body', noFieldName);
  if (!fileFields.has(field))
    throw wrongField(field, 'must not contain files; send them in `files`');
  if (!name) throw wrongField(field, 'has a file without a name; set a filename for this part');
  form.files.push({ name, contentType, bytes });
}

/** @throws CodedError INVALID_REQUEST */
function addField(form: Form, field: string | undefined, sent: SentField): void {
  if (!field) throw wrongField('body', noFieldName);
  if (field.length > maxNameLength || sent.isTruncated) throw wrongField(field, 'is too long');
  if (fileFields.has(field))
    throw wrongField(field, 'must be a file; set a filename for this part');
  if (field in form) throw wrongField(field, 'is sent twice');
  form[field] = sent.value;
}

/** A part with a file name, as busboy gives it: the name may be missing. */
interface SentFile {
  name: string | undefined;
  contentType: string;
  bytes: Buffer;
}

interface SentField {
  value: string;
  isTruncated: boolean;
}

const noFieldName = 'has a part without a field name; files go into the field `files`';

/** Errors of the parser are errors of the sender. */
function toCodedError(error: unknown): CodedError {
  return error instanceof CodedError ? error : incompleteForm();
}

function incompleteForm(): CodedError {
  return wrongField('body', 'is not complete multipart/form-data');
}

function tooManyFiles(): CodedError {
  return new CodedError('TOO_MANY_FILES', {
    error: `The form has too many files. The maximum is ${limits.files}.`,
  });
}

function wrongField(field: string, problem: string): CodedError {
  return invalidField(field.slice(0, maxNameLength), problem);
}

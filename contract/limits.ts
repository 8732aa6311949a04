/**
 * Durations and limits of the product. Code, texts, infrastructure and tests take them from here;
 * `test/agreement/limits.test.ts` compares the documents with them.
 */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const mebibyte = 1024 * 1024;

/** Seconds in a day. */
export const daySeconds = day;

/** Sign-in mails that one e-mail address gets in an hour, unless a setting says otherwise. */
export const defaultSignInMailsPerHour = 3;

/** A project that was published without an account is gone after this, unless somebody claims it. */
export const temporaryLifetimeSeconds = 15 * minute;

/** The most that one upload without an account may hold. */
export const temporaryUploadLimits = {
  maxParts: 5,
  maxBytes: 2 * mebibyte,
  maxArchiveEntries: 500,
  maxArchiveBytes: 10 * mebibyte,
};

/**
 * A ZIP that a request may bring compressed as a whole, its files as they are (the suffix is of RFC 8460): one stream
 * takes less time, and fewer bytes, than one for each of many small files. The most bytes are those of the ZIP.
 */
export const gzippedZip = { type: 'application/zip+gzip', maxBytes: 16 * mebibyte };

/** Lifetime of a project that was claimed on the free plan. */
export const freeDaysAfterClaim = 7;

/** An expired project stays in its owner's list for this long, then it is removed. */
export const expiredKeptDays = 30;

/** An account that its owner deleted can be restored for this long, then it is removed. */
export const closedAccountDays = 30;

/** An address that a project left stays reserved for its account for this long. */
export const addressReservedDays = 90;

/**
 * A removed domain is held for its account for this long; meanwhile others can get it only with a
 * proof.
 */
export const domainHeldDays = 30;

/** The most unverified names beneath one registered domain that an account may have. */
export const maxUnprovenNamesOfZone = 25;

/** Domains are still served for this long after an account's plan no longer includes them. */
export const domainGraceDays = 14;

/**
 * The former use of an address is remembered for this long, because browsers may still have its
 * service worker.
 */
export const addressRememberedDays = 730;

/** The time between the notice to the owner and the removal of versions beyond a smaller plan. */
export const planNoticeSeconds = 7 * day;

/** Reports of abuse are deleted after this. */
export const abuseReportKeptDays = 180;

/** The response to a request with an Idempotency-Key can be repeated for this long. */
export const idempotencyKeptSeconds = day;

/** The longest that a Lambda function may run (AWS Lambda quota). */
export const maxFunctionSeconds = 15 * minute;

/** Bytes of a ZIP that is written while it is sent. A function streams at most 200 MB (AWS Lambda, "Response streaming"); the rest is a margin. */
export const maxZipBytes = 190_000_000;

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
] as const;

/** A duration in its largest whole unit: `15 minutes`, `7 days`, `90 seconds`. */
export function describeDuration(seconds: number): string {
  const [name, size] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** The window of a rate limit, as in `3 in a minute`: `a minute`, `an hour`, `90 seconds`. */
export function describeWindow(seconds: number): string {
  if (seconds === minute) return 'a minute';
  if (seconds === hour) return 'an hour';
  return describeDuration(seconds);
}

/** Characters that no title has: it is one line, and cannot reorder the text around it (bidirectional controls). */
export const notInTitles = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
export const titleRule =
  'must be one line without control characters or characters that change the direction of text';

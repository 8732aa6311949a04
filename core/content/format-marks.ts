const browserPictures = 'png jpg jpeg jfif gif webp avif svg bmp dib ico cur apng';
const rawPhotos = 'nef nrw dng cr2 arw orf rw2 raf pef srw';

/** Formats that their first bytes tell: the extension that stands for each, and others that are right too. */
export const marks = [
  [/^%PDF-/, 'pdf', 'ai'],
  [
    /^(?:\u0089PNG\r\n|\u00FF\u00D8\u00FF|GIF8[79]a|RIFF[^]{4}WEBP|[^]{4}ftypavi[fs])/,
    'png',
    `${browserPictures} tif tiff jxl psd heic heif hif ${rawPhotos}`,
  ],
  [/^[^]{4}ftyp(?:hei[cmsx]|hev[cx]|mif1|msf1)(?![^]{0,40}avif)/, 'heic', 'heif hif avif'],
  [/^(?:II\*\0|MM\0\*)/, 'tif', `tiff ${rawPhotos}`],
  [/^8BPS\0/, 'psd', 'psb'],
  [/^(?:[^]{4}JXL \r\n|\u00FF\n[^\n])/, 'jxl', ''],
  [/^(?:[^]{4}jP {2}\r\n|\u00FFO\u00FFQ)/, 'jp2', 'j2k j2c jpc jpf jpx'],
  [/^SQLite format 3\0/, 'sqlite', 'sqlite3 db db3 gpkg mbtiles'],
  [/^PAR1/, 'parquet', ''],
  [/^7z\u00BC\u00AF'/, '7z', ''],
  // No viewer reads the binary form of property lists, which has the names of their texts.
  [/^bplist0/, 'bplist', ''],
  // Office 2003 wrote these programs into its XML.
  [/^\W*<\?xml [^<>]*>\s*<\?mso-application progid="Excel\.Sheet"/, 'xls', 'xlt'],
  [/^\W*<\?xml [^<>]*>\s*<\?mso-application progid="Word\.Document"/, 'doc', 'dot'],
] as const satisfies readonly (readonly [RegExp, string, string])[];

/** What is in a ZIP of each format of Office, of OpenDocument and of e-books. */
export const members = [
  [/^word\//, 'docx', 'dotx docm dotm'],
  [/^xl\//, 'xlsx', 'xlsm xltx xltm xlsb'],
  [/^ppt\//, 'pptx', 'ppsx potx pptm ppsm potm'],
  [/^mimetypeapplication\/epub/, 'epub', ''],
  [/^mimetypeapplication\/vnd\.oasis\.opendocument\.text/, 'odt', 'ott'],
  [/^mimetypeapplication\/vnd\.oasis\.opendocument\.spread/, 'ods', 'ots'],
  [/^mimetypeapplication\/vnd\.oasis\.opendocument\.pres/, 'odp', 'otp'],
] as const satisfies readonly (readonly [RegExp, string, string])[];

/** Each is an extension whose viewer, if there is one, reads the format. A text that has the name of a document is read as `.doc`. */
export const writtenFormats = [
  ...marks.map(([, extension]) => extension),
  ...members.map(([, extension]) => extension),
  'zip' as const,
  'doc' as const,
];
export type WrittenFormat = (typeof writtenFormats)[number];

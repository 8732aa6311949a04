import { describe, expect, test } from '@jest/globals';
import { writtenFormat } from '../../../../core/content/written-format.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
/** The local header of a file in a ZIP. */
const member = (name: string, content = '') =>
  `PK\u0003\u0004${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}${content}`;
const heic = bytes('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');

const progId = (program: string) => `<?mso-application progid="${program}"?>`;

describe('a file whose name says another format', () => {
  test.each([
    ['IMG_1.jpg', heic, 'heic'],
    ['IMG_1.png', heic, 'heic'],
    ['Info.plist', bytes('bplist00\u00d1\u0001\u0002'), 'bplist'],
    ['Localizable.strings', bytes('bplist00\u00d1\u0001\u0002'), 'bplist'],
    ['scan.jpg', bytes('II*\0\b\0\0\0'), 'tif'],
    ['layers.jpg', bytes('8BPS\0\u0001'), 'psd'],
    ['shot.png', bytes('\0\0\0\fJXL \r\n'), 'jxl'],
    ['letter.doc', bytes('%PDF-1.4\n'), 'pdf'],
    ['letter.jpg', bytes('%PDF-1.4\n'), 'pdf'],
    ['download', bytes('%PDF-1.4\n'), 'pdf'],
    ['letter.txt', bytes('%PDF-1.4\n'), 'pdf'],
    ['photo.pdf', bytes('\u00FF\u00D8\u00FF\u00E0'), 'png'],
    ['photo.docx', bytes('\u0089PNG\r\n\u001A\n'), 'png'],
    ['photo', bytes('RIFF\u0001\0\0\0WEBPVP8 '), 'png'],
    ['report.docx', bytes('<html><body><h1>Report</h1></body></html>'), 'doc'],
    ['report.pdf', bytes('<!doctype html>\n<p>Not found</p>'), 'doc'],
    ['report.odt', bytes('{\\rtf1 Tide}'), 'doc'],
    ['report.docx', bytes('Tide at the quay\n'), 'doc'],
    ['report.docx', bytes('\u00FF\u00FET\0i\0d\0e\0'), 'doc'],
    ['files.docx', bytes(member('readme.txt', 'x') + member('data/a.csv')), 'zip'],
    ['sheet.docx', bytes(member('[Content_Types].xml') + member('xl/workbook.xml')), 'xlsx'],
    ['sheet.csv', bytes(member('xl/workbook.xml')), 'xlsx'],
    ['text.doc', bytes(member('mimetype', 'application/vnd.oasis.opendocument.text')), 'odt'],
    ['text.doc', bytes(member('[Content_Types].xml') + member('word/document.xml')), 'docx'],
    ['book.pdf', bytes(member('mimetype', 'application/epub+zip')), 'epub'],
    ['sheet.xml', bytes(`<?xml version="1.0"?>\r\n${progId('Excel.Sheet')}`), 'xls'],
    [
      'letter.xml',
      bytes(`\u00EF\u00BB\u00BF<?xml version="1.0" encoding="UTF-8"?>\n${progId('Word.Document')}`),
      'doc',
    ],
    ['backup.bak', bytes('SQLite format 3\0'), 'sqlite'],
  ])('%s is shown by its bytes', (name, content, format) => {
    expect(writtenFormat(name, content)).toBe(format);
  });

  test.each([
    ['IMG_1.heic', heic],
    ['photo.png', bytes('\u00FF\u00D8\u00FF\u00E0')],
    ['photo.jpg', bytes('\0\0\0\u0018ftypmif1\0\0\0\0mif1avif')],
    ['photo.nef', bytes('MM\0*\0\0\0\b')],
    ['slide.scn', bytes('II*\0\b\0\0\0')],
    ['drawing.ai', bytes('%PDF-1.5')],
    ['book.pdf', bytes('junk\n%PDF-1.4\n')],
    ['page.html', bytes('%PDF-1.4')],
    ['drawing.svg', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['page.doc', bytes('<html><body>x</body></html>')],
    ['sheet.xls', bytes(`<?xml version="1.0"?>${progId('Excel.Sheet')}`)],
    ['Info.plist', bytes('<?xml version="1.0"?><plist/>')],
    ['feed.xml', bytes('<?xml version="1.0"?><feed/>')],
    ['table.xls', bytes('<table><tr><td>1</td></tr></table>')],
    ['empty.docx', bytes('')],
    ['report.docx', bytes(member('docProps/app.xml') + member('word/document.xml'))],
    ['report.docx', bytes(member('[Content_Types].xml', 'x'.repeat(9000)))],
    ['report.docx', bytes('\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1')],
    ['site.zip', bytes(member('word/document.xml'))],
    ['map.kmz', bytes(member('doc.kml'))],
    ['script.js', bytes('let a = 1;')],
    ['photo.jpg', bytes('no picture')],
  ])('%s is right, or nobody can tell', (name, content) => {
    expect(writtenFormat(name, content)).toBeUndefined();
  });
});
